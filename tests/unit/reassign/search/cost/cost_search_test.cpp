#include "equipoise/reassign/search/cost/cost_search.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/reassign/checks/ends.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/reassign_draw.hpp"

namespace equipoise::reassign {
namespace {

SearchOptions by_effort(std::uint64_t effort, unsigned threads = 1) {
    SearchOptions options;
    options.seconds.reset();
    options.effort = effort;
    options.threads = threads;
    return options;
}

/// Many items of different sizes with costs of every kind, and copies that are apart.
Problem costly_problem(ItemId items, MachineId machines) {
    test::Draw<Tokens> draw(items);
    Problem problem;
    problem.resources = {{"items"}, {"cpu"}, {"disk"}};
    problem.resources[2].release = Release::after_last;
    for (MachineId machine = 0; machine < machines; ++machine)
        problem.machines.number_of("m" + std::to_string(machine));
    problem.item_labels = {{"item", {}, {}}, {"service", {}, {}}};
    Label rack{"rack", {}, {}};
    for (ItemId item = 0; item < items; ++item) {
        const std::string name = "i" + std::to_string(item);
        problem.thing.push_back(problem.things.number_of(name));
        problem.item_labels[0].of.push_back(problem.item_labels[0].values.number_of(name));
        problem.item_labels[1].of.push_back(
            problem.item_labels[1].values.number_of("s" + std::to_string(item / 3)));
        problem.places.push_back((item / 3 + item % 3) % (machines / 2));
        problem.amounts.insert(problem.amounts.end(), {1, draw(1, 99), draw(1, 99)});
        problem.objective.move_costs.push_back(draw(0, 20));
    }
    for (MachineId machine = 0; machine < machines; ++machine) {
        rack.of.push_back(rack.values.number_of("r" + std::to_string(machine % 5)));
        const Tokens room = 120 * Tokens{items} / machines;
        problem.capacities.insert(problem.capacities.end(), {tokens_max, room, room});
        problem.thresholds.insert(problem.thresholds.end(), {tokens_max, room / 2, room / 2});
    }
    problem.machine_labels = {rack};
    problem.drained.assign(machines, false);
    problem.pinned.assign(machines, false);
    problem.speeds.assign(machines, 1);
    problem.apart = {{0}, {1}};
    problem.spread = {{1, 0, 2}};
    problem.objective.given = true;
    problem.objective.over_threshold = {0, 10, 5};
    problem.objective.balances = {{1, 2, 2, 3}};
    problem.objective.most_moved = 50;
    problem.objective.most_moved_label = 1;
    problem.check();
    return problem;
}

void expect_allowed(const Problem& problem, const SearchedPlacement& found) {
    const Standing before = stand(problem, problem.places);
    const Standing standing = stand(problem, found.places);
    EXPECT_EQ(standing.score, found.score);
    EXPECT_TRUE(may_end(problem, found.places, standing, before));
    EXPECT_TRUE(within(problem.budget, standing.moved));
    EXPECT_LE(found.score, before.score);
}

TEST(SearchCosts, FindWhatTheSearchOfAllPlacesProves) {
    test::ReassignDraw drawn(51);
    int problems = 0;
    int equal = 0;
    int broken = 0;
    for (int round = 0; round < 600; ++round) {
        SCOPED_TRACE(round);
        const Problem problem =
            drawn.draw({.items = 9, .machines = 4, .objectives = true, .budgets = true});
        if (!CostTables::suit(problem)) continue;
        const std::optional<SearchedPlacement> all = search_all_places(problem, 5'000'000);
        ASSERT_TRUE(all.has_value());
        const SearchTables tables(problem);
        const SearchedPlacement found = search_costs(tables, by_effort(20'000), all->score);
        expect_allowed(problem, found);
        EXPECT_GE(found.score, all->score);
        ++problems;
        if (found.score == all->score) ++equal;
        if (stand(problem, problem.places).score.broken > 0) ++broken;
    }
    EXPECT_GT(problems, 250);
    EXPECT_GT(broken, 80);
    EXPECT_GE(equal, problems * 99 / 100) << problems;
}

TEST(SearchCosts, AreTheSameWithTheSameSeedThreadsAndEffort) {
    const Problem problem = costly_problem(150, 10);
    const SearchTables tables(problem);
    const Score before = stand(problem, problem.places).score;
    for (const unsigned threads : {1U, 2U, 4U}) {
        SCOPED_TRACE(threads);
        SearchOptions options = by_effort(60'001, threads);
        const SearchedPlacement once = search_costs(tables, options, {});
        const SearchedPlacement again = search_costs(tables, options, {});
        EXPECT_EQ(once.places, again.places);
        EXPECT_EQ(once.effort, 60'001U);
        expect_allowed(problem, once);
        EXPECT_LT(once.score, before);
        options.seed = 2;
        EXPECT_NE(once.places, search_costs(tables, options, {}).places);
    }
}

TEST(SearchCosts, KeepAllRulesOnceTheyHold) {
    Problem problem = costly_problem(150, 10);
    problem.drained[0] = true;
    const SearchTables tables(problem);
    const SearchedPlacement found = search_costs(tables, by_effort(100'000), {});
    expect_allowed(problem, found);
    EXPECT_EQ(found.score.broken, 0);
    EXPECT_LE(found.effort, 100'000U);
}

TEST(SearchCosts, LeaveItemsWhereNoneMayMove) {
    Problem problem = costly_problem(60, 6);
    problem.stays.assign(problem.item_count(), true);
    const SearchTables tables(problem);
    for (const unsigned threads : {1U, 2U}) {
        const SearchedPlacement found = search_costs(tables, by_effort(1000, threads), {});
        EXPECT_EQ(found.places, problem.places);
        EXPECT_EQ(found.effort, 0U);
    }
}

TEST(SearchCosts, EndAtACostThatIsGoodEnough) {
    const Problem problem = costly_problem(150, 10);
    const SearchTables tables(problem);
    const Score enough = search_costs(tables, by_effort(50'000), {}).score;
    const SearchedPlacement found = search_costs(tables, by_effort(10'000'000), enough);
    EXPECT_LE(found.score, enough);
    EXPECT_LT(found.effort, 10'000'000U);
}

TEST(SearchCosts, TellWhatTheyHaveAndStopWhenAsked) {
    const Problem problem = costly_problem(150, 10);
    const SearchTables tables(problem);
    SearchOptions options;
    options.seconds.reset();
    std::stop_source stop;
    options.stop = stop.get_token();
    std::vector<Score> told;
    options.progress = [&](const Score& best, std::uint64_t effort) {
        told.push_back(best);
        EXPECT_GT(effort, 0U);
        if (told.size() == 3) stop.request_stop();
    };
    const SearchedPlacement found = search_costs(tables, options, {});
    ASSERT_EQ(told.size(), 3U);
    EXPECT_TRUE(std::is_sorted(told.rbegin(), told.rend()));
    EXPECT_LE(found.score, told.back());
    expect_allowed(problem, found);
}

TEST(SearchCosts, EndInTime) {
    const Problem problem = costly_problem(150, 10);
    const SearchTables tables(problem);
    SearchOptions options;
    options.seconds = 0.3;
    options.threads = 2;
    const auto began = std::chrono::steady_clock::now();
    const SearchedPlacement found = search_costs(tables, options, {});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    EXPECT_GE(took.count(), 0.29);
    EXPECT_LT(took.count(), 10);
    expect_allowed(problem, found);
}

TEST(SearchCosts, RefuseWhatMemoryDoesNotSufficeFor) {
    const Problem problem = costly_problem(60, 6);
    const SearchTables tables(problem);
    SearchOptions options = by_effort(1);
    options.memory = 1000;
    EXPECT_THROW((void)search_costs(tables, options, {}), UnsuitableError);
}

}  // namespace
}  // namespace equipoise::reassign
