#pragma once
// Gathering from ranks that contribute different amounts.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "equipoise/engine/local_failure.hpp"
#include "equipoise/mpi/communicator.hpp"

namespace equipoise::balancer {

/// The words of all ranks.
struct Gathered {
    std::vector<std::int64_t> words;  ///< one rank after the other
    std::vector<int> counts;          ///< by rank
    std::vector<int> firsts;          ///< by rank: where its words begin

    [[nodiscard]] std::span<const std::int64_t> of(std::size_t rank) const {
        return std::span(words).subspan(static_cast<std::size_t>(firsts[rank]),
                                        static_cast<std::size_t>(counts[rank]));
    }
};

/// Gathers the words of every rank; together at most 2^31 - 1. Collective: a gathering of one word
/// of each rank, a reduction and the gathering. If one rank failed before or has no memory, all
/// throw the same CollectiveError. `call` names the purpose of the words, for messages.
[[nodiscard]] Gathered gather_all(const mpi::Communicator& communicator,
                                  std::span<const std::int64_t> mine, engine::LocalFailure failure,
                                  std::string_view call);

}  // namespace equipoise::balancer
