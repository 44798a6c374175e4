#pragma once
// The data of a plan.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equipoise/balancer/plan.hpp"

namespace equipoise::balancer {

struct Plan::Data {
    mpi::Communicator communicator;
    std::size_t message_bytes_max = 0;
    Tokens size_before = 0;
    bool settled = false;             ///< the first vote showed that nothing moves
    std::vector<Transfer> transfers;  ///< of all ranks
    std::vector<RankMoves> rounds;    ///< of this rank; at least one unless settled
    /// If there are several rounds: how many transfers the rounds up to each have.
    std::vector<std::size_t> round_ends;
    Report report;
    /// The largest load per unit of speed, by kind of weights; empty if nothing moves.
    std::vector<double> slowest_before;
    std::vector<double> slowest_after;
    /// What must leave this rank. The next agreement adds it up for the report, if that lacks it.
    struct LeastOfRank {
        std::int64_t items = 0;
        std::int64_t bytes = 0;  ///< in units
        double unit = 0;         ///< in bytes
        bool lacking = false;
    };
    LeastOfRank least_of_rank;

    explicit Data(const mpi::Communicator& of) : communicator(of) {}
};

}  // namespace equipoise::balancer
