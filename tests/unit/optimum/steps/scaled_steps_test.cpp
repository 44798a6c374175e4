// Both bounds without layers, against the full expansion.

#include "equipoise/optimum/steps/scaled_steps.hpp"

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/optimum/checks/cut_check.hpp"
#include "equipoise/optimum/checks/flow_check.hpp"
#include "equipoise/optimum/plan.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "tests/support/by_expansion.hpp"
#include "tests/support/distribution_instances.hpp"

namespace equipoise::optimum {
namespace {

using network::Network;

Step fewest_by_expansion(const Problem& problem) {
    Step steps = 0;
    while (!test::enough_by_expansion(problem, steps))
        ++steps;
    return steps;
}

struct Counts {
    int exact = 0;
    int all = 0;
};

/// Rates alone.
const ScaledStepsOptions no_layers = {.layers_max = 0};

/// Both bounds hold, and their proofs too.
void expect_right(const Problem& problem, Counts& counts) {
    const EnclosedSteps found = scaled_steps(problem, no_layers);
    const Step fewest = fewest_by_expansion(problem);
    EXPECT_LE(found.bound, found.at_least);
    EXPECT_LE(found.at_least, fewest);
    EXPECT_EQ(found.cut.has_value(), found.at_least > 0);
    if (found.cut) {
        EXPECT_EQ(check_cut(problem, *found.cut), "");
        EXPECT_EQ(found.cut->steps + 1, found.at_least);
    }
    if (found.at_most) {
        EXPECT_GE(*found.at_most, fewest);
        const FlowVerdict verdict = check_flow(problem, *found.flow);
        EXPECT_TRUE(verdict.holds) << verdict.fault;
        EXPECT_LE(verdict.steps, *found.at_most);
    }
    EXPECT_EQ(found.open.empty(), found.exact());
    ++counts.all;
    if (found.exact()) ++counts.exact;
}

TEST(ScaledSteps, BoundsAreRightOnEverythingSmall) {
    for (const bool all_ports : {false, true}) {
        Counts counts;
        test::for_everything_small(all_ports,
                                   [&](const Problem& problem) { expect_right(problem, counts); });
        EXPECT_GT(counts.all, 5000);
        EXPECT_GT(100 * counts.exact, 98 * counts.all);
    }
}

TEST(ScaledSteps, BoundsAreRightOnRandomProblems) {
    RandomStream random(21, Purpose::sampling);
    Counts counts;
    test::for_random_problems(random,
                              [&](const Problem& problem) { expect_right(problem, counts); });
    EXPECT_GT(counts.exact, 900);
}

TEST(ScaledSteps, RatesCloseAQuarterOfToriWhereHalfTheNodesHaveFour) {
    const Network torus = test::stored_network("torus:30x30");
    RandomStream random(5, Purpose::loads);
    load::Loads loads(torus.node_count(), 0);
    Counts counts;
    while (counts.all < 20) {
        for (Tokens& tokens : loads)
            tokens = random.below(2) == 0 ? 0 : 4;
        const EnclosedSteps found = scaled_steps(test::levelling(torus, loads, false), no_layers);
        ++counts.all;
        if (found.exact()) ++counts.exact;
    }
    EXPECT_GE(4 * counts.exact, counts.all);
}

TEST(ScaledSteps, AreMostlyExactWhereStreamsOfDifferentAgesMeet) {
    // One rate a node is too stiff here: streams must begin at full rate and slow down.
    int exact = 0;
    for (const char* spec : {"random-tree:n=300", "caterpillar:spine=80,legs=3"})
        for (std::uint64_t seed = 1; seed <= 5; ++seed)
            for (const bool all_ports : {false, true}) {
                const Network tree = test::stored_network(spec, seed);
                load::Loads loads(tree.node_count(), 0);
                RandomStream random(seed, Purpose::loads);
                for (int spike = 0; spike < 8; ++spike)
                    loads[random.below(tree.node_count())] += 800;
                const Problem problem = test::levelling(tree, loads, all_ports);
                const EnclosedSteps found = scaled_steps(problem);
                if (found.exact()) ++exact;
                const FlowVerdict verdict = check_flow(problem, *found.flow);
                EXPECT_TRUE(verdict.holds) << verdict.fault;
                EXPECT_EQ(check_cut(problem, *found.cut), "");
            }
    EXPECT_GE(exact, 16);
}

TEST(ScaledSteps, SayWhichNodesCannotReachTheTarget) {
    const Network network(4, {{0, 1}, {2, 3}});
    try {
        static_cast<void>(scaled_steps(test::levelling(network, {4, 4, 0, 0}, true)));
        ADD_FAILURE() << "expected an error";
    } catch (const UnsuitableError& error) {
        EXPECT_STREQ(
            error.what(),
            "the target cannot be reached: 2 nodes (one of them is node 0, counting from 0) "
            "hold 4 tokens more than their target, and these tokens cannot leave them");
    }
}

TEST(ScaledSteps, GiveAnIntervalWhenAskedToStop) {
    const Network torus = test::stored_network("torus:40x40");
    const Problem problem = test::levelling(torus, test::corner_loads(1600, 16000), false);
    ScaledStepsOptions options;
    std::stop_source stop;
    stop.request_stop();
    options.stop = stop.get_token();
    const EnclosedSteps found = scaled_steps(problem, options);
    EXPECT_FALSE(found.exact());
    EXPECT_EQ(found.open, asked_to_stop);
    EXPECT_LE(found.at_least, scaled_steps(problem).at_least);
}

TEST(ScaledSteps, PlansOfLargeNetworksAreChecked) {
    const Network torus = test::stored_network("torus:12x12");
    load::Loads loads(144, 0);
    loads[0] = 1440;
    for (const bool all_ports : {false, true}) {
        const Problem problem = test::levelling(torus, loads, all_ports);
        PlanOptions options;
        options.small_arcs_max = 0;
        options.large_from = 100;
        const Plan large = make_plan(problem, options);
        const Plan small = make_plan(problem);
        EXPECT_TRUE(large.exact());
        EXPECT_EQ(large.at_least, small.at_least);
        EXPECT_TRUE(large.flow && large.cut && !large.exchanges_fewest && !large.schedule_written);
        EXPECT_TRUE(small.schedule_written && !small.flow);
    }
}

TEST(MultiPort, PlansAreAsShortAsTheFullExpansionAllows) {
    const auto expect_shortest = [](const Problem& problem) {
        const Plan plan = make_plan(problem);
        EXPECT_TRUE(plan.exact());
        EXPECT_EQ(plan.at_least, fewest_by_expansion(problem));
        const ScheduleVerdict verdict = check_schedule(problem, plan.schedule);
        EXPECT_TRUE(verdict.holds) << verdict.fault;
        EXPECT_EQ(verdict.steps, plan.at_least);
        EXPECT_EQ(plan.cut.has_value(), plan.at_least > 0);
        if (plan.cut) {
            EXPECT_EQ(check_cut(problem, *plan.cut), "");
        }
    };
    for (const Network& network : test::connected_graphs(4))
        test::for_all_loads(4, 7, [&](const load::Loads& loads) {
            expect_shortest(test::levelling(network, loads, true));
        });
    RandomStream random(22, Purpose::sampling);
    for (int i = 0; i < 100; ++i) {
        const auto [network, loads] = test::random_distribution(16, random);
        Problem problem = test::levelling(network, loads, true);
        if (i % 2 == 1)
            for (LinkId link = 0; link < network.link_count(); ++link)
                problem.delays.push_back(1 + random.below(3));
        expect_shortest(problem);
    }
}

TEST(MultiPort, SchedulesWithTwoTokensOnALinkAreRefused) {
    const Network star = test::stored_network("star:leaves=3");
    Problem problem = test::levelling(star, {4, 0, 0, 0}, true);
    const Schedule good = {{0, 0, 1}, {0, 0, 2}, {0, 0, 3}};
    EXPECT_TRUE(check_schedule(problem, good).holds);
    const Schedule doubled = {{0, 0, 1}, {0, 0, 1}, {0, 0, 2}};
    EXPECT_EQ(check_schedule(problem, doubled).fault, "step 0: node 0 sends too much");
    problem.capacities = {4, 4, 4, 4};
    EXPECT_THROW(problem.check(), InputError);
}

}  // namespace
}  // namespace equipoise::optimum
