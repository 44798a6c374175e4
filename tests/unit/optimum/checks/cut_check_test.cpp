// The checker of cuts over time: compared with counting step by step, and with a search for
// schedules.

#include "equipoise/optimum/checks/cut_check.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/optimum/plan.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/distribution_instances.hpp"
#include "tests/support/step_search.hpp"

namespace equipoise::optimum {
namespace {

using network::Network;

Problem cut_problem(const Network& network, const load::Loads& loads) {
    Problem problem;
    problem.network = &network;
    problem.loads = loads;
    problem.target = floor_or_ceiling(loads);
    return problem;
}

/// Whether every way out has a gate, one step and link at a time; adds up surplus and crossings.
bool gated_step_by_step(const Problem& problem, CutOverTime& cut) {
    const Network& network = *problem.network;
    bool all = true;
    cut.crossings = 0;
    cut.surplus = 0;
    Tokens may = 0;
    for (NodeId node = 0; node < network.node_count(); ++node) {
        const CutOverTime::Node& at = cut.nodes[node];
        if (at.inside == 0) cut.surplus += problem.loads[node];
        if (at.inside <= cut.steps) {
            cut.surplus -= problem.target.base[node];
            may += problem.target.extra_at(node) ? 1 : 0;
        }
        for (Step step = 0; step < cut.steps; ++step) {
            if (at.send_first <= step && step < at.send_end)
                cut.crossings += problem.ports_of(node);
            if (at.receive_first <= step && step < at.receive_end)
                cut.crossings += problem.ports_of(node);
            for (Port port = 0; port < network.degree(node); ++port) {
                const CutOverTime::Node& other = cut.nodes[network.neighbour(node, port)];
                const Step then = step + problem.delay_of(network.link(node, port));
                if (step < at.inside || then > cut.steps || then >= other.inside) continue;
                if (problem.ports_of(node) == 0 ||
                    problem.ports_of(network.neighbour(node, port)) == 0)
                    continue;
                if (problem.all_ports) {
                    ++cut.crossings;
                    continue;
                }
                const bool sent = at.send_first <= step && step < at.send_end;
                const bool received =
                    other.receive_first <= then - 1 && then - 1 < other.receive_end;
                all = all && (sent || received);
            }
        }
    }
    cut.surplus -= std::min(may, problem.target.extras);
    return all;
}

CutOverTime random_cut(const Network& network, Step steps, bool has_gates, RandomStream& random) {
    CutOverTime cut;
    cut.steps = steps;
    const auto gate = [&](Step& first, Step& end) {
        if (!has_gates || random.below(3) == 0) return;
        first = random.below(steps + 1);
        end = random.below(2) == 0 ? steps : first + random.below(steps - first + 1);
        if (random.below(2) == 0) first = 0;
    };
    for (NodeId node = 0; node < network.node_count(); ++node) {
        CutOverTime::Node at;
        if (random.below(3) != 0) at.inside = random.below(2) == 0 ? 0 : random.below(steps + 2);
        gate(at.send_first, at.send_end);
        gate(at.receive_first, at.receive_end);
        cut.nodes.push_back(at);
    }
    return cut;
}

TEST(CutCheck, AgreesWithCountingStepByStep) {
    RandomStream random(3, Purpose::sampling);
    int proved = 0;
    for (int i = 0; i < 60'000; ++i) {
        auto [network, loads] = test::random_distribution(5, random);
        loads[0] += static_cast<Tokens>(random.below(20));
        Problem problem = cut_problem(network, loads);
        problem.all_ports = i % 4 == 1;
        if (i % 4 == 2)
            for (NodeId node = 0; node < network.node_count(); ++node)
                problem.ports.push_back(static_cast<Tokens>(random.below(3)));
        if (i % 3 == 1)
            for (LinkId link = 0; link < network.link_count(); ++link)
                problem.delays.push_back(1 + random.below(4));
        CutOverTime cut = random_cut(network, random.below(6), !problem.all_ports, random);
        const bool gated = gated_step_by_step(problem, cut);
        const bool proves = gated && cut.crossings < cut.surplus;
        ASSERT_EQ(check_cut(problem, cut).empty(), proves)
            << "instance " << i << ": " << check_cut(problem, cut);
        proved += proves ? 1 : 0;
    }
    EXPECT_GT(proved, 3000);
}

TEST(CutCheck, BelievesNoCutWhereASearchFindsASchedule) {
    RandomStream random(4, Purpose::sampling);
    int proved = 0;
    for (const Network& network : test::connected_graphs(4))
        test::for_all_loads(4, 6, [&](const load::Loads& loads) {
            const Problem problem = cut_problem(network, loads);
            const Step fewest = test::fewest_steps_by_search(
                network, loads, [&](const load::Loads& end) { return problem.target.allows(end); });
            for (int i = 0; i < 40; ++i) {
                CutOverTime cut = random_cut(network, random.below(fewest + 2), true, random);
                static_cast<void>(gated_step_by_step(problem, cut));
                if (!check_cut(problem, cut).empty()) continue;
                ++proved;
                ASSERT_LT(cut.steps, fewest);
            }
        });
    EXPECT_GT(proved, 500);
}

/// 4 nodes in a row with all tokens at one end, which can send one a step.
struct CutRow {
    Network network = test::stored_network("path:n=4");
    Problem problem = cut_problem(network, {8, 0, 0, 0});
    CutOverTime cut = {5, {{0, 0, 5, 0, 0}, {}, {}, {}}, 6, 5};
};

TEST(CutCheck, RefusesEveryKindOfBrokenCut) {
    const auto fault_after = [](auto&& change) {
        CutRow row;
        change(row.cut, row.problem);
        return check_cut(row.problem, row.cut);
    };
    using C = CutOverTime;
    using P = Problem;
    EXPECT_EQ(fault_after([](C&, P&) {}), "");
    EXPECT_EQ(fault_after([](C& cut, P&) { cut.nodes.pop_back(); }),
              "not every node is listed once");
    EXPECT_EQ(fault_after([](C& cut, P&) { cut.steps = ~Step{0}; }), "there are too many steps");
    EXPECT_EQ(fault_after([](C& cut, P&) { cut.steps = 4; }),
              "node 0 has a gate outside the steps");
    EXPECT_EQ(fault_after([](C& cut, P&) { cut.nodes[2].receive_first = 1; }),
              "node 2 has a gate outside the steps");
    EXPECT_EQ(fault_after([](C& cut, P&) { cut.nodes[0].send_end = 4; }),
              "a way from node 0 to node 1 has no gate");
    EXPECT_EQ(fault_after([](C& cut, P&) { cut.nodes[0].send_first = 1; }),
              "a way from node 0 to node 1 has no gate");
    EXPECT_EQ(fault_after([](C& cut, P&) { cut.nodes[1].inside = 3; }),
              "a way from node 1 to node 2 has no gate");
    EXPECT_EQ(fault_after([](C& cut, P&) { cut.steps = 6; }),
              "a way from node 0 to node 1 has no gate");
    EXPECT_EQ(fault_after([](C& cut, P&) {
                  cut.steps = 6;
                  cut.nodes[0].send_end = 6;
                  cut.crossings = 6;
              }),
              "the gates let enough pass");
    EXPECT_EQ(fault_after([](C& cut, P&) { cut.surplus = 7; }),
              "the surplus is not what the nodes inside hold");
    EXPECT_EQ(fault_after([](C& cut, P&) { cut.crossings = 4; }),
              "the crossings are not what the gates let pass");
    EXPECT_EQ(fault_after([](C&, P& problem) { problem.all_ports = true; }),
              "node 0 has a gate where links are the limit");
    EXPECT_EQ(fault_after([](C&, P& problem) {
                  problem.ports = {2, 1, 1, 1};
              }),
              "the crossings are not what the gates let pass");
    // Everybody inside: nothing to prove.
    EXPECT_EQ(
        fault_after([](C& cut, P&) {
            cut = {5, {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}}, 0, 0};
        }),
        "the gates let enough pass");
}

TEST(CutCheck, KnowsHowLongTokensAreUnderWay) {
    // What node 0 sends arrives 3 steps later: 8 steps let out 6 tokens, 7 only 5.
    CutRow row;
    row.problem.delays = {3, 1, 1};
    row.cut = {7, {{0, 0, 5, 0, 0}, {}, {}, {}}, 6, 5};
    EXPECT_EQ(check_cut(row.problem, row.cut), "");
    row.cut.nodes[0].send_end = 4;
    EXPECT_EQ(check_cut(row.problem, row.cut), "a way from node 0 to node 1 has no gate");
    // The receiving port is passed at the end of the way.
    row.cut.nodes = {{0, 0, 0, 0, 0}, {CutOverTime::never, 0, 0, 2, 7}, {}, {}};
    EXPECT_EQ(check_cut(row.problem, row.cut), "");
    row.cut.nodes[1].receive_first = 3;
    EXPECT_EQ(check_cut(row.problem, row.cut), "a way from node 0 to node 1 has no gate");
}

}  // namespace
}  // namespace equipoise::optimum
