#include "equipoise/reassign/bounds/covering.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"

namespace equipoise::reassign {
namespace {

CoveringProblem drawn(RandomStream& random) {
    CoveringProblem problem;
    const std::size_t needs = random.below(3);
    for (std::size_t need = 0; need < needs; ++need)
        problem.needs.push_back(static_cast<Tokens>(1 + random.below(25)));
    const bool has_limit = random.below(3) == 0;
    if (has_limit) problem.second_most = static_cast<Tokens>(random.below(20));
    const bool costs_are_numbers = random.below(2) == 0;
    for (std::uint64_t choice = 0, choices = 1 + random.below(6); choice < choices; ++choice) {
        std::vector<CoveringOption>& options = problem.choices.emplace_back();
        for (std::uint64_t option = 0, several = 2 + random.below(2); option < several; ++option) {
            CoveringOption& drawn = options.emplace_back();
            drawn.cost = costs_are_numbers ? static_cast<Tokens>(option)
                                           : static_cast<Tokens>(random.below(9));
            if (has_limit) drawn.second = static_cast<Tokens>(random.below(7));
            for (std::size_t need = 0; need < needs; ++need)
                drawn.gives.push_back(option == 0 ? 0 : static_cast<Tokens>(random.below(9)));
        }
    }
    return problem;
}

/// By trying all; nothing if none is possible.
std::optional<Tokens> least(const CoveringProblem& problem) {
    std::optional<Tokens> best;
    std::vector<std::size_t> taken(problem.choices.size(), 0);
    for (;;) {
        Tokens cost = 0;
        Tokens second = 0;
        std::vector<Tokens> rest = problem.needs;
        for (std::size_t choice = 0; choice < taken.size(); ++choice) {
            const CoveringOption& option = problem.choices[choice][taken[choice]];
            cost += option.cost;
            second += option.second;
            for (std::size_t need = 0; need < rest.size(); ++need)
                rest[need] -= option.gives[need];
        }
        if (second <= problem.second_most &&
            std::all_of(rest.begin(), rest.end(), [](Tokens need) { return need <= 0; }))
            best = std::min(best.value_or(cost), cost);
        std::size_t choice = 0;
        while (choice < taken.size() && ++taken[choice] == problem.choices[choice].size())
            taken[choice++] = 0;
        if (choice == taken.size()) return best;
    }
}

TEST(ReassignCovering, IsTheLeastCostOfAllChoicesWhereTheEffortSuffices) {
    RandomStream random(7, Purpose::sampling);
    int possible = 0;
    for (int number = 0; number < 3'000; ++number) {
        const CoveringProblem problem = drawn(random);
        const std::optional<Tokens> best = least(problem);
        std::uint64_t effort = 1'000'000;
        const Covered covered = least_cost(problem, effort);
        ASSERT_TRUE(covered.exact) << number;
        ASSERT_EQ(covered.possible, best.has_value()) << number;
        if (!best) continue;
        ++possible;
        ASSERT_EQ(covered.at_least, *best) << number;
    }
    EXPECT_GT(possible, 1'000);
}

TEST(ReassignCovering, IsNoMoreThanTheLeastCostWhereTheEffortEnds) {
    RandomStream random(8, Purpose::sampling);
    int above_nothing = 0;
    for (int number = 0; number < 3'000; ++number) {
        const CoveringProblem problem = drawn(random);
        const std::optional<Tokens> best = least(problem);
        if (!best) continue;
        std::uint64_t effort = random.below(40);
        const Covered covered = least_cost(problem, effort);
        ASSERT_LE(covered.at_least, *best) << number;
        ASSERT_TRUE(covered.possible) << number;
        if (!covered.exact && covered.at_least > 0) ++above_nothing;
    }
    EXPECT_GT(above_nothing, 300);
}

}  // namespace
}  // namespace equipoise::reassign
