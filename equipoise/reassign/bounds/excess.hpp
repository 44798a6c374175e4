#pragma once
// How much of a resource must lie above limits, over all machines: by sums, not by search.

#include <cstddef>
#include <string>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/bounds/reach.hpp"
#include "equipoise/reassign/bounds/value_groups.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// By machine, the most that it may hold of a resource.
struct Limits {
    std::size_t resource = items_resource;
    std::vector<Int128> most;
    /// A machine that is not drained may hold more if it is a single item that needs some.
    bool except_single = false;
};

struct Excess {
    Int128 amount = 0;
    std::string reason;  ///< empty where the amount is 0
    /// By machine, what other machines hold above limits in any case.
    std::vector<Int128> elsewhere;
};

/// What no plan undercuts of the sum over machines of what they hold above limits: the best of
/// - what cannot leave, and what cannot find room in all, or on the machines of one set;
/// - what racks must hold for items to be spread;
/// - large items, of which one machine must take several.
/// Cost O(items log items + sets machines).
[[nodiscard]] Excess excess_at_least(const Problem& problem, const Reach& reach,
                                     const Limits& limits, const Certain& certain);

}  // namespace equipoise::reassign
