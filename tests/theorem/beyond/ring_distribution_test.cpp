// Gehrke, Plaxton, Rajaraman 1999, abstract: "for any initial token distribution b, the algorithm
// converges to a completely balanced distribution within 4 OPT(b) + n steps, where OPT(b) is the
// time taken by the optimal centralized algorithm to balance b completely." Completely balanced:
// every load floor or ceiling of the mean. OPT here lets every link carry one token in each
// direction in a step: no model in which links carry one token makes it smaller.

#include "equipoise/theory/ring_distribution.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "tests/support/all_loads.hpp"

namespace equipoise::test::ring_distribution {
namespace {

network::AnyNetwork ring(NodeId nodes) {
    return network::generate("cycle:n=" + std::to_string(nodes), 0);
}

/// OPT.
Step optimum_of(const catalogue::NetworkFacts& facts, const load::Loads& loads) {
    optimum::Problem problem;
    problem.network = &facts.stored();
    problem.loads = loads;
    problem.target = optimum::floor_or_ceiling(loads);
    problem.all_ports = true;
    const optimum::EnclosedSteps fewest = optimum::minimum_steps(problem);
    EXPECT_TRUE(fewest.exact());
    return fewest.at_least;
}

/// The rule in a few lines: steps until balanced. `check` sees the loads after every step.
template <class Check>
Step steps_alone(load::Loads loads, const Check& check) {
    Step steps = 0;
    for (; load::discrepancy(loads) > 1; ++steps) {
        const load::Loads old = loads;
        for (std::size_t node = 0; node < old.size(); ++node) {
            const std::size_t next = (node + 1) % old.size();
            if (old[node] <= old[next]) continue;
            --loads[node];
            ++loads[next];
        }
        check(old, loads);
    }
    return steps;
}

TEST(GehrkePlaxtonRajaraman, BalancesWithinFourTimesTheOptimumPlusNStepsOnAllSmallRings) {
    for (NodeId nodes = 3; nodes <= 8; ++nodes) {
        const network::AnyNetwork network = ring(nodes);
        const catalogue::NetworkFacts facts(network);
        for (Tokens tokens = 1; tokens <= (nodes <= 5 ? 12 : 8); ++tokens)
            for_all_loads(nodes, tokens, [&](const load::Loads& loads) {
                // Turning a ring changes nothing.
                if (loads[0] < *std::max_element(loads.begin(), loads.end())) return;
                const Step fewest = optimum_of(facts, loads);
                ASSERT_LE(fewest, theory::ring_off_line_steps_bound(loads));
                const Step steps = steps_alone(loads, [](const auto&, const auto&) {});
                ASSERT_LE(steps, theory::ring_distribution_steps(nodes, fewest));
            });
    }
}

TEST(GehrkePlaxtonRajaraman, BalancesWithinFourTimesTheOptimumPlusNStepsOnLargerRings) {
    RandomStream random(9, Purpose::sampling);
    for (int turn = 0; turn < 60; ++turn) {
        const NodeId nodes = 8 + static_cast<NodeId>(turn);
        const network::AnyNetwork network = ring(nodes);
        const catalogue::NetworkFacts facts(network);
        load::Loads loads(nodes, 0);
        // A few full nodes: where the optimum is farthest from what single nodes can see.
        for (int full = 0; full <= turn % 4; ++full)
            loads[random.below(nodes)] += static_cast<Tokens>(random.below(8 * nodes));
        const Step fewest = optimum_of(facts, loads);
        ASSERT_LE(fewest, theory::ring_off_line_steps_bound(loads));
        ASSERT_LE(steps_alone(loads, [](const auto&, const auto&) {}),
                  theory::ring_distribution_steps(nodes, fewest));
    }
}

TEST(GehrkePlaxtonRajaraman, NeverMovesTheLargestAndSmallestLoadApart) {
    for (NodeId nodes = 3; nodes <= 7; ++nodes)
        for_all_loads(nodes, 8, [&](const load::Loads& loads) {
            steps_alone(loads, [](const load::Loads& before, const load::Loads& after) {
                ASSERT_EQ(load::total(before), load::total(after));
                ASSERT_LE(*std::max_element(after.begin(), after.end()),
                          *std::max_element(before.begin(), before.end()));
                ASSERT_GE(*std::min_element(after.begin(), after.end()),
                          *std::min_element(before.begin(), before.end()));
            });
        });
}

TEST(GehrkePlaxtonRajaraman, IsWhatTheCatalogueRunsHoweverTheRingIsNumbered) {
    const auto& algorithm = catalogue::find_algorithm("ring-distribution");
    // 0, 3, 1, 4, 2: node 0 looks first at its neighbour 2.
    const network::AnyNetwork odd(network::Network(5, {{0, 3}, {3, 1}, {1, 4}, {4, 2}, {2, 0}}));
    const std::vector<NodeId> order = {0, 2, 4, 1, 3};
    const catalogue::NetworkFacts facts(odd);
    for_all_loads(5, 9, [&](const load::Loads& around) {
        load::Loads loads(5);
        for (std::size_t i = 0; i < 5; ++i)
            loads[order[i]] = around[i];
        const catalogue::Outcome outcome = catalogue::run(algorithm, facts, loads);
        ASSERT_EQ(outcome.steps(), steps_alone(around, [](const auto&, const auto&) {}));
        ASSERT_LE(outcome.discrepancy(), 1);
        ASSERT_LE(outcome.steps(), outcome.guarantee().steps);
    });
}

}  // namespace
}  // namespace equipoise::test::ring_distribution
