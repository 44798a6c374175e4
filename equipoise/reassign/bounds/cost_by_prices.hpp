#pragma once
// What no plan costs less than, by prices of what machines hold and take.

#include <cstdint>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/bounds/reach.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// What no plan undercuts of `Score::cost`, for a problem with an objective; 0 where nothing better
/// is found than that, or where sums could be too large.
///
/// Source: Lagrangian relaxation; prices by the volume algorithm (Barahona and Anbil 2000): steps
/// from the best prices along the slopes of a mean of placements.
/// Each machine gets prices: for each resource, one from 0 to the weight of what is above its
/// threshold; for each balance, one from 0 to its weight; for what it holds of a resource with a
/// capacity, and for what arrives of one that is released after the last wave, any of 0 or more. An
/// amount above a limit costs at least its price times the difference, even where that is below 0.
/// Added up over machines, this is a constant and an amount for each item that depends on its
/// machine alone; the bound takes for each item the machine where it is least. Those are its place,
/// and machines with room for it: items fit beside all that is there in the beginning where a
/// resource is released after the last wave, and into the empty machine otherwise. Whatever the
/// prices are, no plan costs less.
/// Guarantee: exact; the prices are cut off to whole numbers of 2^-k and added up in 128 bits.
/// Deviations: rules between items play no part. Capacities do where none is exceeded at the start.
///
/// With `leave`, items that break a rule where they are leave if they can. `reached` is the cost of
/// some plan: it says how far prices may go, and when they are good enough. `effort` counts looks
/// at an item on a machine and a resource; the result depends on nothing else.
[[nodiscard]] Int128 cost_by_prices(const Problem& problem, const Reach& reach, bool leave,
                                    Int128 reached, std::uint64_t effort);

}  // namespace equipoise::reassign
