#include "equipoise/reassign/reasons/relax.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/reassign/reasons/relaxed_problem.hpp"
#include "equipoise/reassign/search/search.hpp"
#include "tests/support/reassign_brute_force.hpp"
#include "tests/support/reassign_draw.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

std::vector<Conflict> conflicts_of(const Problem& problem) {
    SearchOptions options;
    options.effort = 20'000;
    const std::optional<SearchedPlacement> best = search_all_places(problem, 10'000'000);
    return relaxations(problem, best.value(), options);
}

TEST(ReassignRelax, MissingCapacityIsNamedWithWhatWouldDo) {
    Problem problem = test::reassign_problem({0, 0, 1}, {10, 20, 30}, 2);
    problem.capacities = {tokens_max, 25, tokens_max, 30};
    const std::vector<Conflict> conflicts = conflicts_of(problem);
    ASSERT_EQ(conflicts.size(), 1U);
    EXPECT_EQ(conflicts[0].rule.kind, RuleKind::capacity);
    EXPECT_EQ(conflicts[0].short_by, 5);
    EXPECT_EQ(conflicts[0].words, "machine a: bytes: 5 more capacity");
    EXPECT_EQ(conflicts[0].relax, "capacity of machine a: bytes 30, not 25");
    EXPECT_TRUE(conflicts[0].proved);
}

TEST(ReassignRelax, RulesThatHoldHaveNoConflicts) {
    EXPECT_TRUE(conflicts_of(test::reassign_problem({0, 0, 1}, {10, 20, 30}, 2)).empty());
}

TEST(ReassignRelax, WhatNoWavesReachIsNotSaidToDo) {
    // Machine a is 4 above its capacity, and b takes nothing: 1 more capacity is enough for where
    // items could be, but not for where they can get.
    Problem problem = test::reassign_problem({0, 0}, {5, 3}, 2);
    problem.capacities = {tokens_max, 4, tokens_max, 4};
    problem.copied = 1;
    problem.gives = {tokens_max, tokens_max};
    problem.takes = {tokens_max, 0};
    EXPECT_TRUE(conflicts_of(problem).empty());
    problem.takes[1] = tokens_max;
    ASSERT_EQ(conflicts_of(problem).size(), 1U);
    EXPECT_EQ(conflicts_of(problem)[0].relax, "capacity of machine a: bytes 5, not 4");
}

TEST(ReassignRelax, CopiesThatHaveTooFewMachinesAreNamed) {
    Problem problem = test::reassign_problem({0, 1, 2}, {1, 1, 1}, 3);
    problem.item_labels[0].of = {0, 0, 0};
    problem.thing = {0, 0, 0};
    problem.drained[2] = true;
    const std::vector<Conflict> conflicts = conflicts_of(problem);
    ASSERT_EQ(conflicts.size(), 1U);
    EXPECT_EQ(conflicts[0].words, "machine c: 1 item left");
    EXPECT_EQ(conflicts[0].relax, "drain machine c except for i0");
    EXPECT_TRUE(conflicts[0].proved);
}

// Each set of relaxations suffices, and none of it can be done without.
TEST(ReassignRelax, RelaxationsOfDrawnProblemsSufficeAndAreNecessary) {
    test::ReassignDraw draw(5);
    int infeasible = 0;
    for (int number = 0; number < 1'500; ++number) {
        const Problem problem = draw.draw();
        const std::optional<SearchedPlacement> best = search_all_places(problem, 10'000'000);
        ASSERT_TRUE(best);
        if (best->score.broken == 0) continue;
        ++infeasible;
        SearchOptions options;
        options.effort = 20'000;
        const std::vector<Conflict> conflicts = relaxations(problem, *best, options);
        if (conflicts.empty()) continue;  // no waves lead to where they hold
        std::vector<BrokenRule> rules;
        for (const Conflict& conflict : conflicts) {
            EXPECT_FALSE(conflict.words.empty());
            EXPECT_FALSE(conflict.relax.empty());
            rules.push_back(conflict.rule);
        }
        const auto holds = [&](const std::vector<BrokenRule>& broken) {
            const Problem eased = relaxed(rules_only(problem), broken, best->places);
            return test::AllPlacements(eased).best().value().broken == 0;
        };
        EXPECT_TRUE(holds(rules)) << number;
        for (std::size_t without = 0; without < conflicts.size(); ++without) {
            // Of a rule of spread, all that is broken for one value is one relaxation.
            std::vector<BrokenRule> others;
            for (const BrokenRule& rule : rules)
                if (rule.kind != RuleKind::spread
                        ? !(rule == rules[without])
                        : rule.rule != rules[without].rule || rule.value != rules[without].value ||
                              rules[without].kind != RuleKind::spread)
                    others.push_back(rule);
            EXPECT_TRUE(conflicts[without].proved) << number;
            EXPECT_FALSE(holds(others)) << number << ": " << conflicts[without].words;
        }
    }
    EXPECT_GE(infeasible, 100);
}

}  // namespace
}  // namespace equipoise::reassign
