#pragma once
// Other orders of the same moves, for schedules without barriers.

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

// Problem: an order in which moves that wait for moves end early.
// Source: list scheduling (Graham 1966), event by event: whenever a machine is free, it begins the
//   move whose machines have most left to do and which need wait for nothing. A move goes alone, at
//   the full rate of its slower machine, or with others that it needs to keep the rules. Other
//   tries draw how urgent moves are from around that.
// Guarantee: none but that `replay` allows every wave.
// Cost: `effort` looks at moves; nothing is returned if they do not suffice.

struct ListOptions {
    std::uint64_t effort = 0;  ///< what is left is given back
    std::uint64_t number = 0;  ///< of the try; the first one, 0, draws nothing
    std::stop_token stop;
};

/// The moves, which are in the order of waves, in another order, in waves of one move or few.
/// Nothing where moves are found that can go in no wave in this order. Rates a second are known.
[[nodiscard]] std::optional<std::vector<Move>> list_order(const Problem& problem,
                                                          std::span<const Move> moves,
                                                          ListOptions& options);

}  // namespace equipoise::reassign
