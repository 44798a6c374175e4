#pragma once
// What no placement of weighted items can do better.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/capacity.hpp"

namespace equipoise::placement {

/// The level in one kind of weights that every placement has at least. `weights` are those of any
/// of the items that are not pinned; more of them give a better bound.
///
/// 1, since the shares add up to the total. The j heaviest items lie on at most j ranks, so that
/// one of these has at least their weight over the shares of the j fastest. Of the i P + 1
/// heaviest, i + 1 lie on one rank (pigeonhole): at least the sum of the lightest i + 1 of them
/// over the share of the fastest. Cost O(weights * log weights).
[[nodiscard]] double level_at_least(const Capacity& capacity, std::size_t kind,
                                    std::vector<Units> weights);

/// The fewest items and the fewest bytes that leave a rank.
struct Departures {
    Tokens items = 0;
    double bytes = 0;
};

/// What must leave a rank that holds `excess` more than it may, of each kind, if the items that can
/// leave have these weights (item by item, kind by kind) and bytes (empty: none).
///
/// The fewest items are the heaviest, kind by kind. The fewest bytes of a relaxation: items by
/// falling weight per byte, the last one in part. Cost O(items * log items).
[[nodiscard]] Departures departures_at_least(std::span<const Units> excess,
                                             std::span<const Units> weights,
                                             std::span<const Units> bytes);

}  // namespace equipoise::placement
