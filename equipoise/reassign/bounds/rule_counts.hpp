#pragma once
// How often rules must be broken that count items, not amounts.

#include <string>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/bounds/reach.hpp"
#include "equipoise/reassign/bounds/value_groups.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// The sum of `BrokenRule::by` over all kinds but capacities.
struct RuleCounts {
    Int128 separate = 0;  ///< added up from what single rules cost in any case
    Int128 at_least = 0;  ///< with the best of the rules that items on forbidden places could mend
    std::string reason;
    // By element of the problem's rules: whether nothing says that it must be broken.
    std::vector<bool> apart;
    std::vector<bool> spread;
    std::vector<bool> near;
    bool least_items = true;
};

/// Cost O(items log items), and O(machines) more for each group of items that may have too few.
[[nodiscard]] RuleCounts rules_broken(const Problem& problem, const Reach& reach);

}  // namespace equipoise::reassign
