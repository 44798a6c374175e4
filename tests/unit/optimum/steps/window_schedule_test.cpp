// Schedules of whole tokens from flows over time.

#include "equipoise/optimum/steps/window_schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/optimum/checks/flow_check.hpp"
#include "equipoise/optimum/plan.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/steps/halved_schedule.hpp"
#include "equipoise/optimum/windows/windows.hpp"
#include "tests/support/distribution_instances.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::optimum {
namespace {

using network::Network;

Problem levelling(const Network& network, const load::Loads& loads) {
    Problem problem;
    problem.network = &network;
    problem.loads = loads;
    problem.target = floor_or_ceiling(loads);
    return problem;
}

void expect_schedule(const Problem& problem, const FlowOverTime& flow) {
    ASSERT_EQ(check_flow(problem, flow).fault, "");
    const std::optional<Schedule> schedule = window_schedule(problem, flow);
    ASSERT_TRUE(schedule);
    const ScheduleVerdict verdict = check_schedule(problem, *schedule);
    EXPECT_EQ(verdict.fault, "");
    EXPECT_LE(verdict.steps, flow.steps);
}

/// What each link carries in a schedule.
std::vector<FatMove> totals_of_links(const Schedule& schedule) {
    std::vector<FatMove> totals;
    for (const Window& window : flow_of(schedule, ~Step{0} / 4).windows) {
        if (!totals.empty() && totals.back().from == window.from && totals.back().to == window.to) {
            totals.back().tokens += window.tokens;
        } else {
            totals.push_back({window.from, window.to, window.tokens});
        }
    }
    return totals;
}

TEST(WindowSchedule, FollowsShortestSchedulesOfAllKindsOfProblems) {
    RandomStream random(21, Purpose::sampling);
    for (int i = 0; i < 300; ++i) {
        const auto [network, loads] = test::random_distribution(12, random);
        Problem problem = levelling(network, loads);
        if (i % 4 == 1)
            for (LinkId link = 0; link < network.link_count(); ++link)
                problem.delays.push_back(1 + random.below(3));
        if (i % 4 == 2) problem.ports.assign(loads.size(), 2);
        if (i % 4 == 3)
            for (const Tokens load : loads)
                problem.capacities.push_back(std::max<Tokens>(load, 4) + 1);
        const Plan plan = make_plan(problem);
        if (!plan.at_most) continue;
        expect_schedule(problem, flow_of(plan.schedule, *plan.at_most));
    }
}

TEST(WindowSchedule, HalvesTimeWhereAllNodesHoldATokenFromTheBeginning) {
    RandomStream random(22, Purpose::sampling);
    for (int i = 0; i < 200; ++i) {
        auto [network, loads] = test::random_distribution(20, random);
        for (Tokens& load : loads)
            ++load;
        const Problem problem = levelling(network, loads);
        const Plan plan = make_plan(problem);
        ASSERT_TRUE(plan.exact());
        const std::optional<Schedule> schedule =
            halved_schedule(problem, totals_of_links(plan.schedule), plan.at_least);
        ASSERT_TRUE(schedule) << "instance " << i;
        const ScheduleVerdict verdict = check_schedule(problem, *schedule);
        EXPECT_EQ(verdict.fault, "");
        EXPECT_LE(verdict.steps, plan.at_least);
        EXPECT_EQ(verdict.exchanges, plan.exchanges);
    }
}

TEST(WindowSchedule, RoundsFractionsInTheMultiPortModel) {
    // Node 0 shares 8 tokens with both ends of a path over links at rate 2/3.
    const Network path = test::stored_network("path:n=3");
    Problem problem = levelling(path, {0, 12, 0});
    problem.all_ports = true;
    expect_schedule(problem, {6, {{1, 0, 0, 6, 4}, {1, 2, 0, 6, 4}}});
    expect_schedule(problem, {4, {{1, 0, 0, 4, 4}, {1, 2, 0, 4, 4}}});
    // Windows that overlap on one link add up.
    expect_schedule(problem, {6, {{1, 0, 0, 6, 2}, {1, 0, 2, 4, 2}, {1, 2, 0, 6, 4}}});
}

TEST(WindowSchedule, PassesOnThroughTheCentreOfAStar) {
    constexpr NodeId leaves = 20'000;
    const Network star = test::stored_network("star:leaves=20000");
    load::Loads loads(leaves + 1, 1);
    std::fill_n(loads.begin() + 1, leaves / 2, 2);
    std::fill_n(loads.begin() + 1 + leaves / 2, leaves / 2, 0);
    const Problem problem = levelling(star, loads);
    FlowOverTime flow{leaves / 2, {}};
    for (NodeId i = 0; i < leaves / 2; ++i) {
        flow.windows.push_back({1 + i, 0, 0, leaves / 2, 1});
        flow.windows.push_back({0, 1 + leaves / 2 + i, 0, leaves / 2, 1});
    }
    expect_schedule(problem, flow);
}

TEST(WindowSchedule, StartsWhereNodesHoldNothingYet) {
    // All tokens come from one end; the last node's first token needs 29 steps.
    const Network path = test::stored_network("path:n=30");
    load::Loads loads(30, 0);
    loads[0] = 60;
    const Problem problem = levelling(path, loads);
    FlowOverTime flow{58, {}};
    for (NodeId node = 0; node + 1 < 30; ++node)
        flow.windows.push_back({node, node + 1, node, 58 - 2 * node, 58 - 2 * Tokens{node}});
    ASSERT_EQ(check_flow(problem, flow).fault, "");
    const std::optional<Schedule> schedule =
        halved_schedule(problem, totals_of_links(*window_schedule(problem, flow)), flow.steps);
    ASSERT_TRUE(schedule);
    EXPECT_EQ(check_schedule(problem, *schedule).fault, "");
}

TEST(WindowSchedule, FindsWholeTokensForPlansOfLargeNetworksWithoutExpandingSteps) {
    // Memory for moves alone: time is halved, after steps near the rates of the windows.
    struct Case {
        const char* network;
        NodeId loaded;
        Tokens tokens;
        bool all_ports;
    };
    for (const Case& one : {Case{"star:leaves=10000", 7, 20'000, false},
                            Case{"star:leaves=10000", 1, 20'000, false}}) {
        const Network network = test::stored_network(one.network);
        load::Loads loads(network.node_count(), 0);
        for (NodeId node = 0; node < one.loaded; ++node)
            loads[node] = one.tokens / one.loaded;
        Problem problem = levelling(network, loads);
        problem.all_ports = one.all_ports;
        const Plan plan = make_plan(problem);
        ASSERT_TRUE(plan.flow) << one.network;
        const std::optional<Schedule> schedule = window_schedule(
            problem, *plan.flow,
            {.memory_bytes_max = static_cast<std::uint64_t>(MovesLimit::bytes(plan.exchanges))});
        ASSERT_TRUE(schedule) << one.network;
        const ScheduleVerdict verdict = check_schedule(problem, *schedule);
        EXPECT_EQ(verdict.fault, "");
        EXPECT_LE(verdict.steps, *plan.at_most);
    }
}

TEST(WindowSchedule, RefusesMoreMovesThanMayBeWritten) {
    const Network path = test::stored_network("path:n=2");
    const Problem problem = levelling(path, {2000, 0});
    EXPECT_THROW(static_cast<void>(
                     window_schedule(problem, {1000, {{0, 1, 0, 1000, 1000}}}, {.moves_max = 999})),
                 InputError);
}

TEST(WindowSchedule, RefusesMoreMovesThanHalfOfTheMemoryHolds) {
    const Network path = test::stored_network("path:n=2");
    const Problem problem = levelling(path, {200'000, 0});
    const FlowOverTime flow{100'000, {{0, 1, 0, 100'000, 100'000}}};
    EXPECT_EQ(
        test::thrown_by([&] {
            static_cast<void>(window_schedule(problem, flow, {.memory_bytes_max = 1U << 20U}));
        }),
        "input: the schedule has 100000 moves, more than the 32768 that half of --memory (1 MiB) "
        "holds: "
        "expected --memory 4 (--windows writes who sends how many tokens in which steps)");
    EXPECT_TRUE(window_schedule(problem, flow, {.memory_bytes_max = 4U << 20U}));
}

TEST(WindowSchedule, NamesMemoryForMovesAsWellAsForExpandedWindows) {
    const Network path = test::stored_network("path:n=2");
    const Problem problem = levelling(path, {2'000'000, 0});
    // Few steps with many tokens each.
    Problem wide = problem;
    wide.ports.assign(2, 100'000);
    const FlowOverTime flow{10, {{0, 1, 0, 10, 1'000'000}}};
    EXPECT_GT(*window_schedule_bytes(wide, flow), 32'000'000U);
}

}  // namespace
}  // namespace equipoise::optimum
