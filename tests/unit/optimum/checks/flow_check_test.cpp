// The checker of flows over time: compared with a simulation step by step, and with broken flows.

#include "equipoise/optimum/checks/flow_check.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/optimum/plan.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "tests/support/distribution_instances.hpp"

namespace equipoise::optimum {
namespace {

using network::Network;

Problem flow_problem(const Network& network, const load::Loads& loads) {
    Problem problem;
    problem.network = &network;
    problem.loads = loads;
    problem.target = floor_or_ceiling(loads);
    return problem;
}

FlowOverTime as_windows(const Schedule& schedule, Step steps) {
    FlowOverTime flow{steps, {}};
    for (const Move& move : schedule)
        flow.windows.push_back({move.from, move.to, move.step, 1, 1});
    return flow;
}

/// 840 of these are a token: windows of up to 8 steps send whole numbers of them.
constexpr Tokens grain = 840;

/// Whether a flow holds, by moving grains one step at a time.
bool holds_step_by_step(const Problem& problem, const FlowOverTime& flow) {
    const Network& network = *problem.network;
    load::Loads grains = problem.loads;
    for (Tokens& load : grains)
        load *= grain;
    for (const Window& window : flow.windows)
        if (window.first + window.steps > flow.steps) return false;
    std::vector<load::Loads> arriving(flow.steps + 1, load::Loads(grains.size(), 0));
    for (Step step = 0; step < flow.steps; ++step) {
        load::Loads sent(grains.size(), 0);
        std::vector<load::Loads> by_link(grains.size(), load::Loads(grains.size(), 0));
        for (const Window& window : flow.windows) {
            if (step < window.first || step >= window.first + window.steps) continue;
            const Tokens amount = window.tokens * grain / static_cast<Tokens>(window.steps);
            const auto port = network::port_to(network, window.from, window.to);
            const Step then = step + problem.delay_of(network.link(window.from, *port));
            if (then > flow.steps) return false;
            sent[window.from] += amount;
            by_link[window.from][window.to] += amount;
            arriving[then][window.to] += amount;
        }
        for (NodeId node = 0; node < grains.size(); ++node) {
            if (sent[node] > grains[node]) return false;
            grains[node] -= sent[node];
            if (!problem.all_ports && sent[node] > grain * problem.ports_of(node)) return false;
            if (!problem.all_ports && arriving[step + 1][node] > grain * problem.ports_of(node))
                return false;
            for (const Tokens amount : by_link[node])
                if (problem.all_ports && amount > grain) return false;
            grains[node] += arriving[step + 1][node];
            if (!problem.capacities.empty() && grains[node] > grain * problem.capacities[node])
                return false;
        }
    }
    for (NodeId node = 0; node < grains.size(); ++node)
        if (grains[node] % grain != 0) return false;
    for (Tokens& load : grains)
        load /= grain;
    return problem.target.allows(grains);
}

/// Windows along random links; some hold, some do not.
FlowOverTime random_flow(const Network& network, RandomStream& random) {
    FlowOverTime flow{3 + random.below(10), {}};
    for (std::uint64_t more = 1 + random.below(4); more > 0; --more) {
        Window window;
        window.from = static_cast<NodeId>(random.below(network.node_count()));
        window.to = network.neighbour(window.from,
                                      static_cast<Port>(random.below(network.degree(window.from))));
        window.steps = 1 + random.below(std::min<Step>(8, flow.steps));
        window.first = random.below(flow.steps - window.steps + 1);
        window.tokens = 1 + static_cast<Tokens>(random.below(window.steps));
        flow.windows.push_back(window);
        // Often passed on, as fast or at another pace.
        if (random.below(2) == 0 || network.degree(window.to) < 2) continue;
        Window onward = window;
        onward.from = window.to;
        onward.to = network.neighbour(onward.from,
                                      static_cast<Port>(random.below(network.degree(onward.from))));
        onward.first += random.below(3);
        if (random.below(2) == 0) onward.steps = 1 + random.below(8);
        flow.windows.push_back(onward);
    }
    return flow;
}

TEST(FlowCheck, AgreesWithAStepByStepSimulation) {
    RandomStream random(1, Purpose::sampling);
    int held = 0;
    int broken = 0;
    for (int i = 0; i < 40'000; ++i) {
        auto [network, loads] = test::random_distribution(5, random);
        for (Tokens& load : loads)
            load = static_cast<Tokens>(random.below(4));
        Problem problem = flow_problem(network, loads);
        problem.target = at_most(network.node_count(), 4 + static_cast<Tokens>(random.below(9)));
        if (i % 3 == 1) {
            for (NodeId node = 0; node < network.node_count(); ++node)
                problem.ports.push_back(static_cast<Tokens>(random.below(4)));
        } else if (i % 3 == 2) {
            problem.all_ports = true;
        }
        if (i % 4 == 1)
            for (const Tokens load : loads)
                problem.capacities.push_back(load + static_cast<Tokens>(random.below(3)));
        if (i % 5 == 1)
            for (LinkId link = 0; link < network.link_count(); ++link)
                problem.delays.push_back(1 + random.below(3));
        const FlowOverTime flow = random_flow(network, random);
        const FlowVerdict verdict = check_flow(problem, flow);
        ASSERT_EQ(verdict.holds, holds_step_by_step(problem, flow))
            << "instance " << i << ": " << verdict.fault;
        EXPECT_EQ(verdict.holds, verdict.fault.empty());
        ++(verdict.holds ? held : broken);
    }
    EXPECT_GT(held, 3000);
    EXPECT_GT(broken, 5000);
}

TEST(FlowCheck, SchedulesAreFlowsInWindowsOfOneStep) {
    RandomStream random(2, Purpose::sampling);
    for (int i = 0; i < 200; ++i) {
        const auto [network, loads] = test::random_distribution(12, random);
        Problem problem = flow_problem(network, loads);
        if (i % 2 == 1)
            for (LinkId link = 0; link < network.link_count(); ++link)
                problem.delays.push_back(1 + random.below(3));
        const Plan plan = make_plan(problem);
        const ScheduleVerdict replayed = check_schedule(problem, plan.schedule);
        const FlowVerdict verdict = check_flow(problem, as_windows(plan.schedule, *plan.at_most));
        EXPECT_TRUE(verdict.holds) << verdict.fault;
        EXPECT_EQ(verdict.loads, replayed.loads);
        EXPECT_EQ(verdict.exchanges, replayed.exchanges);
        EXPECT_EQ(verdict.steps, replayed.steps);
        if (*plan.at_most > 0) {
            EXPECT_FALSE(check_flow(problem, as_windows(plan.schedule, replayed.steps - 1)).holds);
        }
    }
}

/// 3 nodes in a row; 6 tokens at one end become 2 each: 4 steps to send, 2 of them go on.
struct FlowRow {
    Network network = test::stored_network("path:n=3");
    Problem problem = flow_problem(network, {6, 0, 0});
    FlowOverTime flow = {5, {{0, 1, 0, 4, 4}, {1, 2, 1, 4, 2}}};

    [[nodiscard]] std::string fault() const {
        const FlowVerdict verdict = check_flow(problem, flow);
        EXPECT_EQ(verdict.holds, verdict.fault.empty());
        return verdict.fault;
    }
};

TEST(FlowCheck, SaysWhatAFlowDoes) {
    const FlowRow row;
    const FlowVerdict verdict = check_flow(row.problem, row.flow);
    EXPECT_EQ(verdict.fault, "");
    EXPECT_EQ(verdict.steps, 5U);
    EXPECT_EQ(verdict.exchanges, 6);
    EXPECT_EQ(verdict.loads, (load::Loads{2, 2, 2}));
}

TEST(FlowCheck, RefusesEveryKindOfBrokenFlow) {
    const auto fault_after = [](auto&& change) {
        FlowRow row;
        change(row.flow, row.problem);
        return row.fault();
    };
    using F = FlowOverTime;
    using P = Problem;
    EXPECT_EQ(fault_after([](F& flow, P&) { flow.windows[1].to = 7; }),
              "window 1 names a node that does not exist");
    EXPECT_EQ(fault_after([](F& flow, P&) { flow.windows[0].to = 2; }),
              "window 0 has no link from node 0 to node 2");
    EXPECT_EQ(fault_after([](F& flow, P&) { flow.windows[0].to = 0; }),
              "window 0 has no link from node 0 to node 0");
    EXPECT_EQ(fault_after([](F& flow, P&) { flow.windows[0].steps = 0; }), "window 0 has no steps");
    for (const Tokens tokens : {Tokens{0}, Tokens{-1}, std::numeric_limits<Tokens>::max()})
        EXPECT_EQ(fault_after([&](F& flow, P&) { flow.windows[1].tokens = tokens; }),
                  "window 1 does not send a token or sends too many");
    EXPECT_EQ(fault_after([](F& flow, P&) { flow.windows[1].first = 2; }),
              "window 1 sends what does not arrive in time");
    EXPECT_EQ(fault_after([](F& flow, P&) { flow.windows[1].first = ~Step{0}; }),
              "window 1 sends what does not arrive in time");
    EXPECT_EQ(fault_after([](F& flow, P&) { flow.windows[1].steps = ~Step{0}; }),
              "window 1 sends what does not arrive in time");
    EXPECT_EQ(fault_after([](F& flow, P&) { flow.steps = 4; }),
              "window 1 sends what does not arrive in time");
    EXPECT_EQ(fault_after([](F& flow, P&) { flow.steps = ~Step{0}; }), "there are too many steps");
    EXPECT_EQ(fault_after([](F&, P& problem) {
                  problem.delays = {1, 2};
              }),
              "window 1 sends what does not arrive in time");
    EXPECT_EQ(fault_after([](F& flow, P&) { flow.windows[0].steps = 3; }),
              "step 0: node 0 sends too much");
    EXPECT_EQ(fault_after([](F& flow, P&) {
                  flow.windows.push_back({0, 1, 3, 1, 1});
              }),
              "step 3: node 0 sends too much");
    EXPECT_EQ(fault_after([](F& flow, P&) {
                  flow.windows.push_back({2, 1, 3, 2, 1});
              }),
              "step 3: node 1 receives too much");
    EXPECT_EQ(fault_after([](F& flow, P& problem) {
                  problem.all_ports = true;
                  flow.windows[0] = {0, 1, 0, 3, 4};
              }),
              "step 0: the link from node 0 to node 1 carries too much");
    EXPECT_EQ(fault_after([](F& flow, P&) { flow.windows[1].first = 0; }),
              "step 0: node 1 sends tokens that it does not hold");
    EXPECT_EQ(fault_after([](F& flow, P&) { flow.windows[1] = {1, 2, 1, 2, 2}; }), "");
    EXPECT_EQ(fault_after([](F& flow, P&) {
                  flow.windows[0] = {0, 1, 0, 5, 4};
                  flow.windows[1] = {1, 2, 1, 2, 2};
              }),
              "step 2: node 1 sends tokens that it does not hold");
    EXPECT_EQ(fault_after([](F&, P& problem) {
                  problem.capacities = {6, 1, 2};
              }),
              "step 3: node 1 holds more than its capacity");
    EXPECT_EQ(fault_after([](F& flow, P&) { flow.windows[1].tokens = 1; }),
              "the end is not in the target");
    EXPECT_EQ(fault_after([](F& flow, P&) { flow.windows.clear(); }),
              "the end is not in the target");
    EXPECT_EQ(fault_after([](F&, P& problem) {
                  problem.ports = {1, 1, 0};
              }),
              "node 2 takes no part but has a window");
}

TEST(FlowCheck, ComparesSumsOfFractionsExactly) {
    const Network star = test::stored_network("star:leaves=3");
    Problem problem = flow_problem(star, {3, 0, 0, 0});
    problem.target = at_most(4, 3);
    // Rates 1/2, 1/3 and 1/6 fill the port; the last one a step shorter is too fast.
    FlowOverTime flow{6, {{0, 1, 0, 2, 1}, {0, 2, 0, 3, 1}, {0, 3, 0, 6, 1}}};
    EXPECT_EQ(check_flow(problem, flow).fault, "");
    flow.windows[2].steps = 5;
    EXPECT_EQ(check_flow(problem, flow).fault, "step 0: node 0 sends too much");
    // Long windows whose rates differ from a whole number by less than 2^-60.
    constexpr Step p = 4294967291;
    constexpr Step q = 4294967279;
    constexpr Step both = p * q / 16;  // below the largest number of steps
    problem.loads = {tokens_max, 0, 0, 0};
    problem.target = at_most(4, tokens_max);
    flow = {both, {{0, 1, 0, both, static_cast<Tokens>(both) - 2}, {0, 2, 0, both, 1}}};
    EXPECT_EQ(check_flow(problem, flow).fault, "");
    flow.windows.push_back({0, 3, 0, both, 1});
    EXPECT_EQ(check_flow(problem, flow).fault, "");
    flow.windows[2].steps = both - 1;
    EXPECT_EQ(check_flow(problem, flow).fault, "step 0: node 0 sends too much");
}

TEST(FlowCheck, FollowsHubsWithThousandsOfWindowsThatPassOnAtOnce) {
    // Every leaf of the first half sends a token through the centre to one of the other half.
    constexpr NodeId leaves = 4000;
    const Network star = test::stored_network("star:leaves=4000");
    load::Loads loads(leaves + 1, 0);
    std::fill_n(loads.begin() + 1, leaves / 2, 2);
    Problem problem = flow_problem(star, loads);
    FlowOverTime flow{leaves / 2 + 1, {}};
    for (NodeId i = 0; i < leaves / 2; ++i) {
        flow.windows.push_back({1 + i, 0, 0, leaves / 2, 1});
        flow.windows.push_back({0, 1 + leaves / 2 + i, 1, leaves / 2, 1});
    }
    problem.target = at_most(leaves + 1, 1);
    EXPECT_EQ(check_flow(problem, flow).fault, "");
    for (Window& window : flow.windows)
        if (window.from == 0) window.first = 0;
    EXPECT_EQ(check_flow(problem, flow).fault, "step 0: node 0 sends tokens that it does not hold");
}

}  // namespace
}  // namespace equipoise::optimum
