// Flows over time that always exist: what they say is checked by adding up their rates.

#include "equipoise/optimum/steps/delayed_flow.hpp"

#include <algorithm>
#include <optional>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/optimum/checks/flow_check.hpp"
#include "equipoise/optimum/steps/scaled_steps.hpp"
#include "equipoise/optimum/steps/static_flow.hpp"
#include "tests/support/by_expansion.hpp"
#include "tests/support/distribution_instances.hpp"

namespace equipoise::optimum {
namespace {

using network::Network;

void expect_allowed(const Problem& problem, const FlowOverTime& flow) {
    const FlowVerdict verdict = check_flow(problem, flow);
    EXPECT_TRUE(verdict.holds) << verdict.fault;
    EXPECT_EQ(verdict.steps, flow.steps);
    EXPECT_TRUE(problem.target.allows(verdict.loads));
}

/// The steps that the busiest gate needs for what it lets through.
Step gates_need(const Problem& problem, const FlowOverTime& flow) {
    std::vector<Tokens> sent(problem.loads.size(), 0);
    std::vector<Tokens> received(problem.loads.size(), 0);
    Tokens most = 0;
    for (const Window& window : flow.windows) {
        sent[window.from] += window.tokens;
        received[window.to] += window.tokens;
        most = std::max(most, problem.all_ports ? window.tokens
                                                : std::max(sent[window.from], received[window.to]));
    }
    return static_cast<Step>(most);
}

void expect_allowed_along_a_forest(const Problem& problem) {
    const std::optional<LinkFlow> flow = forest_flow(problem);
    ASSERT_TRUE(flow.has_value());
    expect_allowed(problem, delayed_flow(problem, *flow));
}

TEST(DelayedFlow, AlongAForestIsAllowedOnEverythingSmall) {
    for (const bool all_ports : {false, true})
        test::for_everything_small(all_ports, expect_allowed_along_a_forest);
}

TEST(DelayedFlow, AlongAForestIsAllowedOnRandomProblems) {
    RandomStream random(71, Purpose::sampling);
    test::for_random_problems(random, expect_allowed_along_a_forest);
}

TEST(DelayedFlow, EndsAtMostTheLongestWayAfterItsGates) {
    for (const char* spec : {"torus:20x20", "random-tree:n=400", "random-regular:n=300,d=4"})
        for (const bool all_ports : {false, true}) {
            const Network network = test::stored_network(spec, 1);
            const NodeId count = network.node_count();
            load::Loads loads(count, 0);
            RandomStream random(72, Purpose::loads);
            for (int spike = 0; spike < 5; ++spike)
                loads[random.below(count)] += 3 * Tokens{count};
            const Problem problem = test::levelling(network, loads, all_ports);
            StaticFlow flow(problem);
            flow.lengthen(15 * Step{count});  // every node can send everything
            const std::stop_token never;
            ASSERT_EQ(flow.carry(never), FlowOutcome::carried);
            ASSERT_FALSE(flow.straighten().empty());
            const FlowOverTime delayed = delayed_flow(problem, flow.over_links());
            expect_allowed(problem, delayed);
            // Whatever the way, windows begin and end a link apart.
            for (const Window& window : delayed.windows)
                EXPECT_LT(delayed.steps - window.steps, count);
            EXPECT_LT(delayed.steps, gates_need(problem, delayed) + count);
        }
}

TEST(DelayedFlow, TakesNoLongerThanItsFirstGateWhereEachNodeKeepsSome) {
    // The first node sends 490 tokens. The others begin later, but pass on fewer.
    const Network path = test::stored_network("path:n=50");
    load::Loads loads(50, 0);
    loads.front() = 500;
    for (const bool all_ports : {false, true}) {
        const Problem problem = test::levelling(path, loads, all_ports);
        const std::optional<LinkFlow> flow = forest_flow(problem);
        ASSERT_TRUE(flow.has_value());
        const FlowOverTime delayed = delayed_flow(problem, *flow);
        expect_allowed(problem, delayed);
        EXPECT_EQ(delayed.steps, 490U);
    }
}

TEST(DelayedFlow, EndsAStepEarlierBeforeEachNodeThatKeepsNone) {
    // All is for the last node, four links away: the bound of 100 steps and three more.
    const Network path = test::stored_network("path:n=5");
    Problem problem = test::levelling(path, {100, 0, 0, 0, 0}, false);
    problem.target.base = {0, 0, 0, 0, 100};
    const std::optional<LinkFlow> flow = forest_flow(problem);
    ASSERT_TRUE(flow.has_value());
    const FlowOverTime delayed = delayed_flow(problem, *flow);
    expect_allowed(problem, delayed);
    EXPECT_EQ(delayed.steps, 103U);
}

TEST(DelayedFlow, BeginsAtOnceWhereNodesHoldWhatTheySend) {
    // Each node passes on one token and holds many.
    const Network path = test::stored_network("path:n=50");
    load::Loads loads(50, 10);
    loads.front() = 11;
    loads.back() = 9;
    const Problem problem = test::levelling(path, loads, false);
    const std::optional<LinkFlow> flow = forest_flow(problem);
    ASSERT_TRUE(flow.has_value());
    EXPECT_EQ(delayed_flow(problem, *flow).steps, 1U);
}

TEST(DelayedFlow, LeavesRoomEmptyWhereThereIsMoreThanNecessary) {
    const Network path = test::stored_network("path:n=6");
    Problem problem = test::levelling(path, {9, 0, 0, 0, 0, 0}, false);
    problem.target = at_most(6, 4);
    expect_allowed_along_a_forest(problem);
}

TEST(DelayedFlow, StaysWithinThePartsOfANetwork) {
    const Network parts(5, {{0, 1}, {2, 3}, {3, 4}});
    // Node 1 takes the one extra; the other part is level.
    expect_allowed_along_a_forest(test::levelling(parts, {0, 5, 2, 1, 3}, false));
    EXPECT_FALSE(forest_flow(test::levelling(parts, {4, 4, 0, 0, 0}, false)).has_value());
    // Without node 3 the last three are parts of their own.
    Problem closed = test::levelling(parts, {4, 0, 2, 2, 2}, false);
    closed.ports = {1, 1, 1, 0, 1};
    expect_allowed_along_a_forest(closed);
    closed.loads = {4, 0, 3, 2, 1};
    EXPECT_FALSE(forest_flow(closed).has_value());
}

TEST(DelayedFlow, IsFoundThoughThereIsNoTime) {
    const Network torus = test::stored_network("torus:40x40");
    std::stop_source stop;
    stop.request_stop();
    for (const bool all_ports : {false, true}) {
        const Problem problem = test::levelling(torus, test::corner_loads(1600, 16000), all_ports);
        ScaledStepsOptions options;
        options.stop = stop.get_token();
        const EnclosedSteps found = scaled_steps(problem, options);
        ASSERT_TRUE(found.flow.has_value());
        EXPECT_EQ(found.flow->steps, found.at_most);
        expect_allowed(problem, *found.flow);
    }
}

}  // namespace
}  // namespace equipoise::optimum
