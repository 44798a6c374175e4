#pragma once
// What must leave machines, and how little of a resource can move with it.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/bounds/covering.hpp"
#include "equipoise/reassign/bounds/excess.hpp"
#include "equipoise/reassign/bounds/reach.hpp"
#include "equipoise/reassign/bounds/value_groups.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// What machines hold at most in every plan that is looked at.
struct GiveLimits {
    std::vector<Int128> hard;    ///< by machine, then resource
    std::vector<Limits> levels;  ///< by element of `Problem::level`
};

/// By machine, the least amount of resource `cost` on items that leave it: enough that no limit is
/// exceeded, items that must leave, and all but one of items that must be apart. With
/// `second_most`: where no more than that of `second` leaves the machine.
struct GivesAsked {
    std::size_t cost = items_resource;
    std::size_t second = items_resource;
    std::vector<Tokens> second_most;  ///< by machine; empty: no limit
};
[[nodiscard]] std::vector<Tokens> gives_at_least(const Problem& problem, const Reach& reach,
                                                 const Certain& certain, const GiveLimits& limits,
                                                 const GivesAsked& asked, std::uint64_t& effort);

/// The least amount of resource `cost` that must move for machines to hold at most `over` above the
/// limits, all together, and for items to leave that must.
[[nodiscard]] Int128 moved_at_least(const Problem& problem, const Reach& reach,
                                    const Certain& certain, const Limits& limits, Int128 over,
                                    std::size_t cost);

/// What is above the limits, over all machines, if at most `budget` of resource `cost` moves.
[[nodiscard]] Int128 over_within(const Problem& problem, const Reach& reach, const Limits& limits,
                                 std::size_t cost, Int128 budget);

}  // namespace equipoise::reassign
