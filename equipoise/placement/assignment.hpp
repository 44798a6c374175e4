#pragma once
// Gives parts to ranks so that the gain is largest, with prices that prove it.
//
// Problem: part i given to rank j gains w_ij >= 0 (0 unless listed); rank j takes at most c_j
//   parts. Maximise the gain. A part with nothing to gain may stay without a rank.
// Method: shortest augmenting paths (Jonker and Volgenant 1987, after Kuhn 1955), with capacities
//   and on listed pairs only. Parts come one by one. Dijkstra's algorithm, on slacks u_i + v_j -
//   w_ij, finds the cheapest way to make room for one: to a rank that has room, or to a part that
//   can stay without a rank (at the price u_i).
// Certificate: prices u, v >= 0 with u_i + v_j >= w_ij for all pairs. Any assignment x gains
//   sum w_ij x_ij <= sum u_i sum_j x_ij + sum v_j sum_i x_ij <= sum u_i + sum c_j v_j.
//   If the gain equals the right side, none gains more. It does: given pairs have no slack, a part
//   with a price has a rank, and a rank with a price is full. Each path keeps this so.
// Cost: O(parts * pairs * log pairs) at worst; a path usually ends after a few pairs.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::placement {

/// The gain from giving a part to a rank. At most one for each pair.
struct Gain {
    int part = 0;
    int rank = 0;
    Int128 value = 0;  ///< at least 0, at most 2^124
};

/// Prices in the unit of gains.
struct Prices {
    std::vector<Int128> part;
    std::vector<Int128> rank;
};

struct PartsOnRanks {
    std::vector<int> rank_of_part;  ///< -1: none
    Int128 gain = 0;
    Prices prices;
};

/// An assignment with the largest gain. `gains` in any order; `capacity` by rank, at least 0. Which
/// of several is found depends on the arguments alone.
[[nodiscard]] PartsOnRanks best_assignment(int parts, std::span<const int> capacity,
                                           std::span<const Gain> gains);

}  // namespace equipoise::placement
