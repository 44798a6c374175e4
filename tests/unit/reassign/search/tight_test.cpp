// Placements that are reached only by several items that change places at once.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/reassign/search/search.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

/// Items on three machines that are full to 95 % or more, so that next to none may move alone;
/// another resource is to be level, or to be below thresholds.
Problem tight_problem(test::Draw<Tokens>& draw) {
    constexpr MachineId machines = 3;
    const Tokens items = draw(6, 9);
    std::vector<MachineId> places;
    std::vector<Tokens> bytes;
    for (Tokens item = 0; item < items; ++item) {
        places.push_back(static_cast<MachineId>(draw(0, machines - 1)));
        bytes.push_back(draw(1, 4) == 1 ? draw(1, 12) : 2 * draw(2, 5));
    }
    Problem problem = test::reassign_problem(places, bytes, machines);
    problem.resources.push_back({"load"});
    std::vector<Tokens> amounts;
    for (ItemId item = 0; item < places.size(); ++item)
        amounts.insert(amounts.end(), {1, bytes[item], draw(1, 30)});
    problem.amounts = amounts;
    std::vector<Tokens> used(machines, 0);
    for (ItemId item = 0; item < places.size(); ++item)
        used[places[item]] += bytes[item];
    problem.capacities.assign(machines * std::size_t{3}, tokens_max);
    problem.thresholds = problem.capacities;
    const bool has_thresholds = draw(1, 3) == 1;
    for (MachineId machine = 0; machine < machines; ++machine) {
        problem.capacities[machine * 3 + 1] = used[machine] + used[machine] / draw(20, 40);
        if (has_thresholds) problem.thresholds[machine * 3 + 2] = draw(10, 60);
    }
    problem.level = {{2, 0}};
    if (draw(1, 4) == 1) problem.level.push_back({0, 0});
    problem.fewest = static_cast<std::size_t>(draw(0, 2));
    problem.check();
    return problem;
}

TEST(SearchPlaces, OfFullMachinesExchangeItems) {
    test::Draw<Tokens> draw(77);
    SearchOptions options;
    options.seconds.reset();
    options.effort = 60'000;
    constexpr int rounds = 500;
    int equal = 0;
    int moved = 0;
    for (int round = 0; round < rounds; ++round) {
        const Problem problem = tight_problem(draw);
        const std::optional<SearchedPlacement> all = search_all_places(problem, 5'000'000);
        ASSERT_TRUE(all.has_value());
        const SearchedPlacement found = search_places(problem, options, all->score);
        EXPECT_GE(found.score, all->score);
        if (found.score == all->score) ++equal;
        if (all->score.moves > 1) ++moved;
    }
    EXPECT_GT(moved, rounds / 2);
    EXPECT_GE(equal, rounds * 97 / 100);
}

}  // namespace
}  // namespace equipoise::reassign
