// The off-line complexity of token distribution: the exact number of steps, by two methods.

#include <bit>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/load/targets.hpp"
#include "equipoise/optimum/flows/flow_network.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/steps/layered_network.hpp"
#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "equipoise/optimum/steps/static_bound.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/distribution_instances.hpp"
#include "tests/support/step_search.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::optimum {
namespace {

using network::Network;

Problem problem_of(const Network& network, const load::Loads& loads, FinalLoads target) {
    return {&network, loads, std::move(target), {}, {}, {}};
}

/// Solves a problem and checks both proofs: replays the schedule and sums up the cut.
EnclosedSteps solved(const Problem& problem) {
    EnclosedSteps result = minimum_steps(problem);
    EXPECT_TRUE(result.exact());
    const Schedule schedule = unit_steps(result.steps, problem.network->node_count());
    const ScheduleVerdict verdict = check_schedule(problem, schedule);
    EXPECT_TRUE(verdict.holds) << verdict.fault;
    EXPECT_LE(verdict.steps, *result.at_most);
    EXPECT_LE(result.bound, result.at_least);
    if (result.at_least == 0) {
        EXPECT_TRUE(schedule.empty());
    } else {
        EXPECT_EQ(result.certificate.steps, result.at_least - 1);
        EXPECT_EQ(check_certificate(problem, result.certificate), "");
    }
    return result;
}

Step fewest(const Network& network, const load::Loads& loads, const FinalLoads& target) {
    return solved(problem_of(network, loads, target)).at_least;
}

TEST(OffLineComplexity, EqualsTheKnownNumbers) {
    for (const test::DistributionInstance& known : test::known_distributions()) {
        SCOPED_TRACE(known.name);
        const load::Loads& loads = known.loads;
        const auto to_zero = problem_of(known.network, loads, exact_up_to(loads, 0));
        EXPECT_EQ(static_bound(to_zero).steps, known.bound);
        EXPECT_EQ(solved(to_zero).at_least, known.steps);
        EXPECT_EQ(fewest(known.network, loads, exact_up_to(loads, 1)), known.steps_one_above);
        EXPECT_EQ(fewest(known.network, loads, floor_or_ceiling(loads)), known.steps_two_sided);
    }
}

TEST(OffLineComplexity, EqualsASearchOfAllSchedulesOnAllGraphsUpToFourNodes) {
    for (NodeId nodes = 1; nodes <= 4; ++nodes)
        for (const Network& network : test::connected_graphs(nodes))
            for (Tokens tokens = 0; tokens <= 6; ++tokens)
                test::for_all_loads(nodes, tokens, [&](const load::Loads& loads) {
                    for (const FinalLoads& target :
                         {exact_up_to(loads, 0), exact_up_to(loads, 1), floor_or_ceiling(loads)}) {
                        const Step searched = test::fewest_steps_by_search(
                            network, loads,
                            [&](const load::Loads& end) { return target.allows(end); });
                        EXPECT_EQ(fewest(network, loads, target), searched);
                    }
                });
}

TEST(OffLineComplexity, EqualsASearchOfAllSchedulesOnAllGraphsOfFiveNodes) {
    for (const Network& network : test::connected_graphs(5))
        for (const Tokens tokens : {3, 5})
            test::for_all_loads(5, tokens, [&](const load::Loads& loads) {
                const FinalLoads target = floor_or_ceiling(loads);
                const Step searched = test::fewest_steps_by_search(
                    network, loads, [&](const load::Loads& end) { return target.allows(end); });
                EXPECT_EQ(fewest(network, loads, target), searched);
            });
}

/// Whether LEMON's push-relabel finds a flow of all tokens in the network of single steps.
bool enough_by_full_expansion(const Problem& problem, Step steps) {
    const LayeredNetwork full(problem, std::vector<Step>(steps, 1));
    const Flow flow = maximum_flow_by_preflow(full.flow_network());
    EXPECT_EQ(flow.value, flow_value(full.flow_network(), flow.by_arc));
    EXPECT_EQ(flow.value, cut_capacity(full.flow_network(), flow.source_side));
    return flow.value == load::total(problem.loads);
}

TEST(OffLineComplexity, EqualsFullExpansionOnRandomNetworks) {
    RandomStream random(41, Purpose::sampling);
    for (int i = 0; i < 80; ++i) {
        // Every fourth has so many tokens that steps are lumped together and split again.
        const bool heavy = i % 4 == 0;
        auto [network, loads] = test::random_distribution(heavy ? 12 : 24, random);
        for (Tokens& tokens : loads)
            tokens *= heavy ? 13 : 1;
        const Problem problem = problem_of(network, loads, floor_or_ceiling(loads));
        const Step steps = solved(problem).at_least;
        EXPECT_TRUE(enough_by_full_expansion(problem, steps));
        if (steps > 0) {
            EXPECT_FALSE(enough_by_full_expansion(problem, steps - 1));
        }
    }
}

// Theorem 1: (a) T_off(M; l, 0) is at least the bound, (b) T_off(M; l, 1) is at most the bound.
TEST(Theorem1, EnclosesTheStepsWithAndWithoutOneTokenMore) {
    RandomStream random(42, Purpose::sampling);
    for (int i = 0; i < 150; ++i) {
        const auto [network, loads] = test::random_distribution(20, random);
        if (load::total(loads) == 0) continue;
        const Step bound = static_bound(problem_of(network, loads, exact_up_to(loads, 0))).steps;
        EXPECT_GE(fewest(network, loads, exact_up_to(loads, 0)), bound);
        EXPECT_LE(fewest(network, loads, exact_up_to(loads, 1)), bound);
    }
}

/// max over X of ceil(w(X) / match(X)) by trying all sets, matchings by trying all gates.
Step bound_by_all_sets(const Network& network, const load::Loads& loads, Tokens most) {
    const NodeId count = network.node_count();
    Step bound = 0;
    for (std::uint32_t x = 1; x + 1 < 1U << count; ++x) {
        Tokens surplus = 0;
        for (NodeId node = 0; node < count; ++node)
            if ((x >> node & 1U) != 0) surplus += loads[node] - most;
        if (surplus <= 0) continue;
        int matching = 32;
        for (std::uint32_t gates = 0; gates < 1U << count; ++gates) {
            bool all_met = true;
            for (const Ends& link : network.links())
                if ((x >> link.tail & 1U) != (x >> link.head & 1U))
                    all_met = all_met && ((gates >> link.tail | gates >> link.head) & 1U) != 0;
            if (all_met) matching = std::min(matching, std::popcount(gates));
        }
        bound = std::max(bound, static_cast<Step>(ceil_divide(surplus, matching)));
    }
    return bound;
}

TEST(Theorem1, BoundIsTheMaximumOverAllSetsOnAllGraphsUpToFiveNodes) {
    for (NodeId nodes = 2; nodes <= 5; ++nodes)
        for (const Network& network : test::connected_graphs(nodes))
            test::for_all_loads(nodes, 5, [&](const load::Loads& loads) {
                const Tokens most = load::mean_load(5, nodes).ceiling;
                const StaticBound bound =
                    static_bound(problem_of(network, loads, at_most(nodes, most)));
                EXPECT_EQ(bound.steps, bound_by_all_sets(network, loads, most));
            });
}

TEST(Theorem1, SharperUpperBoundHoldsAndMeetsTheLowerOneWithoutEmptyNodes) {
    RandomStream random(43, Purpose::sampling);
    for (int i = 0; i < 60; ++i) {
        auto [network, loads] = test::random_distribution(14, random);
        if (load::total(loads) == 0) continue;
        const NodeId nodes = network.node_count();
        const Problem some_empty = problem_of(network, loads, exact_up_to(loads, 0));
        const Step steps = solved(some_empty).at_least;
        const Step bound = static_bound(some_empty).steps;
        const auto upper = static_upper_bound(some_empty);
        ASSERT_TRUE(upper);
        EXPECT_LE(bound, *upper);
        EXPECT_LE(steps, *upper);
        const auto empty = static_cast<Step>(std::count(loads.begin(), loads.end(), 0));
        EXPECT_LE(steps, bound + std::min<Step>(nodes - 2, empty));
        for (Tokens& tokens : loads)
            ++tokens;
        const Problem none_empty = problem_of(network, loads, exact_up_to(loads, 0));
        EXPECT_EQ(solved(none_empty).at_least, static_bound(none_empty).steps);
        EXPECT_EQ(static_upper_bound(none_empty), static_bound(none_empty).steps);
    }
}

// Figure 1: the linear array of 3 with loads 4, 3, 5 as a flow network, maximum 4.
TEST(Figure1, FlowOfAllTokensTakesOneStep) {
    const Network array = test::stored_network("path:n=3");
    const Problem problem = problem_of(array, {4, 3, 5}, at_most(3, 4));
    const auto flow_within = [&](Step steps) {
        const LayeredNetwork layers(problem, std::vector<Step>(steps, 1));
        return maximum_flow(layers.flow_network()).value;
    };
    EXPECT_EQ(flow_within(0), 11);
    EXPECT_EQ(flow_within(1), 12);
    // The cut of capacity 13: source and the third processor in V_0, V_1, V_2.
    const Certificate cut{2, {{0, 2, {2}, {2}, {}, {}}}, {2}, 1, 2};
    EXPECT_EQ(cut.crossings - cut.surplus + 12, 13);
    EXPECT_EQ(check_certificate(problem, cut), "the gates let enough pass");
}

// Observation 1: p = N = 2 s^2, bound T = p / 2 + 1, and at least T + 2 sqrt(T - 1) - 4 steps.
TEST(Observation1, FigureTwoNeedsMoreThanTheBound) {
    for (const NodeId side : {2U, 3U, 4U, 5U, 6U}) {
        const auto [network, loads] = test::figure_2(side);
        const EnclosedSteps result = solved(problem_of(network, loads, exact_up_to(loads, 0)));
        const Step bound = Step{side} * side + 1;
        EXPECT_EQ(result.bound, bound);
        EXPECT_EQ(result.at_least, bound + Step{2} * side - 4);
        EXPECT_EQ(result.certificate.is_static(), side == 2);
    }
}

// Sharper than Observation 1: N = p = 4 D, k = bound = T = p / 2, and T + T / 2 - 1 steps. All
// tokens begin at the ends of two legs of D nodes, whose 2 D nodes may keep one each; the others
// pass the centre one by one, the first of them in step D.
TEST(Observation1, ASpiderNeedsHalfAsManyStepsMoreThanTheBound) {
    for (NodeId leg = 1; leg <= 12; ++leg) {
        const std::string side = std::to_string(leg);
        const Network spider =
            test::stored_network("spider:" + side + 'x' + side + 'x' + std::to_string(2 * leg - 1));
        load::Loads loads(spider.node_count(), 0);
        loads[leg] = loads[std::size_t{2} * leg] = Tokens{2} * leg;
        ASSERT_EQ(load::total(loads), Tokens{spider.node_count()});
        const EnclosedSteps result = solved(problem_of(spider, loads, exact_up_to(loads, 0)));
        EXPECT_EQ(result.bound, Step{2} * leg);
        EXPECT_EQ(result.at_least, Step{3} * leg - 1);
    }
}

// With a token a node; the instances are counted up to isomorphism of the network.
TEST(Observation1, NoGraphUpToFiveNodesNeedsMoreThanTheBoundAndOnSixNodesFifteenInstancesDo) {
    std::size_t more = 0;
    for (NodeId nodes = 2; nodes <= 6; ++nodes)
        for (const Network& network : test::connected_graphs(nodes))
            test::for_all_loads(nodes, nodes, [&](const load::Loads& loads) {
                const EnclosedSteps result =
                    minimum_steps(problem_of(network, loads, at_most(nodes, 1)));
                if (result.at_least == result.bound) return;
                ++more;
                EXPECT_EQ(nodes, 6U);
                EXPECT_EQ(result.bound, 2U);
                EXPECT_EQ(result.at_least, 3U);
                EXPECT_EQ(std::count(loads.begin(), loads.end(), 3), 2);
            });
    EXPECT_EQ(more, 15U);
}

/// The largest excess of T_off(0) over Theorem 1's bound, of all ways to spread the tokens.
Step largest_excess(const Network& network, Tokens tokens) {
    const NodeId nodes = network.node_count();
    const Tokens most = ceil_divide(tokens, Tokens{nodes});
    Step largest = 0;
    test::for_all_loads(nodes, tokens, [&](const load::Loads& loads) {
        const EnclosedSteps result =
            minimum_steps(problem_of(network, loads, at_most(nodes, most)));
        largest = std::max(largest, result.at_least - result.bound);
    });
    return largest;
}

TEST(Cycles, NeedExactlyTheStaticBoundForAllLoadsUpToSevenNodes) {
    for (NodeId nodes = 3; nodes <= 7; ++nodes)
        for (Tokens tokens = 1; tokens <= Tokens{nodes} + 1; ++tokens) {
            const Network cycle = test::stored_network("cycle:n=" + std::to_string(nodes));
            EXPECT_EQ(largest_excess(cycle, tokens), 0U);
        }
}

TEST(TreesLong, OfUpToEightNodesNeedAtMostAQuarterOfTheirNodesMoreThanTheBound) {
    for (NodeId nodes = 2; nodes <= 8; ++nodes)
        for (const Network& tree : test::all_trees(nodes)) {
            const Step excess = largest_excess(tree, nodes);
            EXPECT_LE(4 * excess, Step{nodes} - 2);
        }
}

/// Whether T steps are enough on a path, found in one scan of the tokens that may cross each link.
bool enough_on_a_path(const load::Loads& loads, Tokens most, Tokens steps) {
    Tokens low = 0;
    Tokens high = 0;
    for (std::size_t node = 0; node < loads.size(); ++node) {
        const Tokens leaving_least = std::max(loads[node] - most, -steps);
        const Tokens leaving_most = std::min(loads[node], steps);
        if (leaving_least > leaving_most) return false;
        low += leaving_least;
        high += leaving_most;
        const Tokens passing = node + 1 < loads.size() ? steps : 0;
        low = std::max(low, -passing);
        high = std::min(high, passing);
        if (low > high) return false;
    }
    return true;
}

TEST(Paths, NeedExactlyTheStaticBound) {
    RandomStream random(44, Purpose::sampling);
    for (int i = 0; i < 60; ++i) {
        const auto nodes = static_cast<NodeId>(2 + random.below(18));
        const Network path = test::stored_network("path:n=" + std::to_string(nodes));
        load::Loads loads(nodes, 0);
        for (Tokens& tokens : loads)
            if (random.below(3) == 0) tokens = static_cast<Tokens>(random.below(30));
        const FinalLoads target = exact_up_to(loads, 0);
        const EnclosedSteps result = solved(problem_of(path, loads, target));
        EXPECT_EQ(result.at_least, result.bound);
        const auto steps = static_cast<Tokens>(result.at_least);
        EXPECT_TRUE(enough_on_a_path(loads, target.base[0], steps));
        if (steps > 0) {
            EXPECT_FALSE(enough_on_a_path(loads, target.base[0], steps - 1));
        }
    }
}

TEST(Trees, MayNeedMoreThanTheStaticBound) {
    const Network spider(6, {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 5}});
    const EnclosedSteps result = solved(problem_of(spider, {0, 0, 0, 0, 3, 3}, at_most(6, 1)));
    EXPECT_EQ(result.bound, 2U);
    EXPECT_EQ(result.at_least, 3U);
    EXPECT_FALSE(result.certificate.is_static());
}

}  // namespace
}  // namespace equipoise::optimum
