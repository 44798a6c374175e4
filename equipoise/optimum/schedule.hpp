#pragma once
// Schedules: which token moves over which link at which step.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::optimum {

/// One token over one link. It leaves at `step` (counted from 0).
struct Move {
    Step step = 0;
    NodeId from = no_node;
    NodeId to = no_node;
    friend bool operator==(const Move&, const Move&) = default;
};

/// Moves in the order of their steps.
using Schedule = std::vector<Move>;

/// Schedules with more moves are not written out one by one.
inline constexpr std::uint64_t moves_written_max = 20'000'000;

/// How many moves are written out one by one: at most `written_max`, and no more than half of the
/// memory holds, since to sort or to check them takes as much again.
struct MovesLimit {
    std::uint64_t memory_bytes = std::uint64_t{2} << 30U;
    std::uint64_t written_max = moves_written_max;

    [[nodiscard]] std::uint64_t most() const;
    [[nodiscard]] bool allows(Int128 moves) const { return moves <= Int128{most()}; }
    /// "more than the 9 that ...": which of the two limits a number of moves exceeds, and what
    /// would be enough memory for them.
    [[nodiscard]] std::string exceeded_by(Int128 moves) const;
    /// The memory that moves take.
    [[nodiscard]] static Int128 bytes(Int128 moves);
};

/// `tokens` tokens over one link within a fat step.
struct FatMove {
    NodeId from = no_node;
    NodeId to = no_node;
    Tokens tokens = 0;
};

/// `size` steps lumped together: a node sends at most size times its ports, all of them tokens that
/// it held when the fat step began, and receives at most the same number. A fat step of size 1 is a
/// step.
struct FatStep {
    Step size = 1;
    std::vector<FatMove> moves;
};

/// The exchanges of these fat steps: tokens times links.
[[nodiscard]] Tokens exchanges_of(std::span<const FatStep> steps);

/// Removes moves along directed cycles (swaps are cycles of two), after which every node still
/// holds the same. Cost about O(moves).
void cancel_cycles(FatStep& step, NodeId nodes);

/// Splits a fat step of even size, which has at most one move for each direction of a link, into
/// two of half the size: in each, every node sends and receives, and every link carries, at most
/// half of what it may in both, so the halves are fat steps themselves. Cost O(moves).
void halve(const FatStep& whole, NodeId nodes, FatStep& first, FatStep& second);

// Problem: split a fat step of size 2^k into 2^k steps.
// Model: off-line.
// Source: a bipartite multigraph (senders, receivers) of degree c is the union of c matchings
//   (Koenig 1916); found here by Euler splits (Gabow 1976): half of every bundle to each side; the
//   odd moves that are left alternate along trails in which every node pairs its links.
// Guarantee: at most `ports` tokens sent and received per node and step. Cost O(moves * k).

/// Fat steps, whose sizes are all powers of two, as single moves.
/// Throws InputError when there are more than `moves_max`.
[[nodiscard]] Schedule unit_steps(std::span<const FatStep> steps, NodeId nodes,
                                  std::uint64_t moves_max = 200'000'000);

}  // namespace equipoise::optimum
