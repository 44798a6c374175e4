#pragma once
// Placements as a linear program: items may be split.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/bounds/choice_program.hpp"
#include "equipoise/reassign/bounds/excess.hpp"
#include "equipoise/reassign/bounds/reach.hpp"
#include "equipoise/reassign/bounds/rule_counts.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// Limits of one kind: by machine and resource, with the weight of what is above them.
struct WeightedLimits {
    Limits limits;
    Tokens weight = 1;
};

/// Limits above which placements hold at most so much, in weighted amounts, all together.
struct LimitsAllowed {
    std::vector<WeightedLimits> limits;
    Int128 over = 0;
};

/// What is to be least, and what holds.
struct PlacementAsked {
    std::vector<LimitsAllowed> parts;
    /// Least of what is above the limits of the last part, which then has no `over`;
    bool least_over = false;
    /// otherwise least of this resource, of items that are not where they were.
    std::size_t cost = items_resource;
    /// By machine, what leaves it of `cost` in any case; empty: not known.
    std::vector<Tokens> gives;
    /// Limits on what moves, by resource; empty: none.
    std::vector<Tokens> budget;
    /// Rules are not sure to hold: each time that one is broken which counts items costs so much.
    std::optional<Int128> rule_cost;
};

/// The program, or nothing if it had more than `size_most` columns or entries. Its solutions
/// include all placements that allowed moves could lead to, at their cost or less.
[[nodiscard]] std::optional<ChoiceProgram> placement_program(const Problem& problem,
                                                             const Reach& reach,
                                                             const RuleCounts& rules,
                                                             const PlacementAsked& asked,
                                                             std::size_t size_most);

}  // namespace equipoise::reassign
