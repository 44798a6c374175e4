#pragma once
// What leaves ranks that hold more than they have room for, where there are too many items for all
// to be known to every rank: the loads of ranks decide how much goes where, and the rank that holds
// the items decides which.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/few_moves/capacity.hpp"

namespace equipoise::placement {

/// Room of one rank that another one may fill.
struct Eviction {
    int from = 0;
    int to = 0;
    Tokens items = 0;
    Units bytes = 0;  ///< any number, if bytes are not limited
};

/// Room for everything that ranks hold too much of, on other ranks in proportion to their room. If
/// only items are limited, it is room for exactly these items, within machines first (empty:
/// machines do not matter). There are fewer evictions than twice the ranks. Cost O(ranks log
/// ranks).
[[nodiscard]] std::vector<Eviction> allot_evictions(const Capacity& capacity,
                                                    std::span<const Units> loads,
                                                    std::span<const int> machine);

/// An item that leaves.
struct Evicted {
    std::uint32_t item = 0;
    int to = 0;
};
/// Which of a rank's items leave: bytes first (the smallest item that is enough, else the largest
/// that fits somewhere), then items, heavy ones as long as the rank is above the bound. Each goes
/// to the lowest of the ranks with room for it. If only items are limited, no rank holds too much
/// afterwards. `loads` are those of all ranks; `weight(item, kind)` is that of this rank's `items`
/// that are not pinned. Cost O(items log items).
[[nodiscard]] std::vector<Evicted> choose_evicted(
    const Capacity& capacity, std::span<const Units> loads, double bound, std::size_t rank,
    std::span<const Eviction> evictions, std::size_t items,
    const std::function<Units(std::size_t item, std::size_t kind)>& weight);

}  // namespace equipoise::placement
