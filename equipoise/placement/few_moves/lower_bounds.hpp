#pragma once
// Lower bounds for all placements of weighted items.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/few_moves/capacity.hpp"

namespace equipoise::placement {

/// A level in one kind of weights that no placement is below. `weights` are those of any items that
/// are not pinned; more items give a better bound.
///
/// 1, since the shares add up to the total. The j heaviest items lie on at most j ranks, so that
/// one of these has at least their weight over the shares of the j fastest. Of the i P + 1
/// heaviest, i + 1 lie on one rank (pigeonhole), whose level is at least the sum of the lightest i
/// + 1 of them over the share of the fastest rank. Cost O(weights * log weights).
[[nodiscard]] double level_at_least(const Capacity& capacity, std::size_t kind,
                                    std::vector<Units> weights);

/// The same, given that ranks have only so much room for what items take (1 for each, or bytes),
/// for all items that are not pinned.
///
/// What some ranks have no room for lies on the others, and weighs at least as much as the items of
/// least weight for what they take, the last of them in part. The sets of ranks that are tried are
/// those with the least room for their speed. Cost O(items * log items + ranks * log ranks).
[[nodiscard]] double level_in_rooms(const Capacity& capacity, std::size_t kind,
                                    std::span<const Units> weights, std::span<const Units> taken,
                                    std::span<const Units> rooms);

/// The fewest items and the fewest bytes that leave a rank.
struct Departures {
    Tokens items = 0;
    double bytes = 0;
};

/// The fewest items and bytes that must leave a rank that holds `excess` too much of each kind, if
/// the items that can leave have these weights (item by item, kind by kind) and bytes (empty:
/// none).
///
/// The fewest items are the heaviest ones, kind by kind. The fewest bytes are those of a
/// relaxation: items by falling weight per byte, the last of them in part. Cost O(items) and a sort
/// of the few among which the last one is. At most 2^32 items.
[[nodiscard]] Departures departures_at_least(std::span<const Units> excess,
                                             std::span<const Units> weights,
                                             std::span<const Units> bytes);

}  // namespace equipoise::placement
