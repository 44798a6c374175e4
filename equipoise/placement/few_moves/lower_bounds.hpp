#pragma once
// Lower bounds for all placements of weighted items.

#include <span>
#include <vector>

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

}  // namespace equipoise::placement
