// The planner for all sizes: what comes first is decided by size, the answer is not.

#include "equipoise/optimum/steps/fewest_steps.hpp"

#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/optimum/certificate.hpp"
#include "equipoise/optimum/checks/cut_check.hpp"
#include "equipoise/optimum/checks/flow_check.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "equipoise/optimum/steps/phased_steps.hpp"
#include "equipoise/optimum/steps/scaled_steps.hpp"
#include "equipoise/optimum/steps/static_bound.hpp"
#include "tests/support/by_expansion.hpp"
#include "tests/support/distribution_instances.hpp"

namespace equipoise::optimum {
namespace {

using network::Network;

/// Both ends are proved by what comes with them.
void expect_proved(const Problem& problem, const EnclosedSteps& found) {
    EXPECT_EQ(found.open.empty(), found.exact());
    EXPECT_FALSE(found.cut && !found.certificate.empty());
    EXPECT_EQ(found.cut || !found.certificate.empty(), found.at_least > 0);
    if (found.cut) {
        EXPECT_EQ(check_cut(problem, *found.cut), "");
        EXPECT_EQ(found.cut->steps + 1, found.at_least);
    } else if (found.at_least > 0) {
        EXPECT_EQ(check_certificate(problem, found.certificate), "");
        EXPECT_EQ(found.certificate.steps + 1, found.at_least);
    }
    if (!found.at_most) return;
    if (found.flow) {
        const FlowVerdict verdict = check_flow(problem, *found.flow);
        EXPECT_TRUE(verdict.holds) << verdict.fault;
        EXPECT_LE(verdict.steps, *found.at_most);
    } else {
        const ScheduleVerdict verdict =
            check_schedule(problem, unit_steps(found.steps, problem.network->node_count()));
        EXPECT_TRUE(verdict.holds) << verdict.fault;
        EXPECT_LE(verdict.steps, *found.at_most);
    }
}

void expect_the_same_by_every_way(const Problem& problem) {
    const EnclosedSteps by_layers = minimum_steps(problem);
    ASSERT_TRUE(by_layers.exact());
    FewestStepsOptions windows_first;
    windows_first.small_arcs_max = 0;
    FewestStepsOptions soon_given_up;
    soon_given_up.small_looks_max = 1;
    for (const FewestStepsOptions& options : {FewestStepsOptions(), windows_first, soon_given_up}) {
        const EnclosedSteps found = fewest_steps(problem, options);
        EXPECT_TRUE(found.exact());
        EXPECT_EQ(found.at_least, by_layers.at_least);
        EXPECT_EQ(found.bound, by_layers.bound);
        expect_proved(problem, found);
    }
}

TEST(FewestSteps, AreTheSameWhateverComesFirst) {
    for (const bool all_ports : {false, true})
        test::for_everything_small(all_ports, expect_the_same_by_every_way);
    RandomStream random(23, Purpose::sampling);
    test::for_random_problems(random, expect_the_same_by_every_way);
}

TEST(FewestSteps, AreClosedByExpansionWhereWindowsLeaveThemOpen) {
    const Network mesh = test::stored_network("mesh:12x12");
    load::Loads loads(144, 0);
    for (NodeId row = 0; row < 5; ++row)
        for (NodeId column = 0; column < 5; ++column)
            loads[std::size_t{row} * 12 + column] = 20;
    const Problem problem = test::levelling(mesh, loads, false);
    FewestStepsOptions options;
    options.small_arcs_max = 0;
    const EnclosedSteps found = fewest_steps(problem, options);
    EXPECT_TRUE(found.exact());
    expect_proved(problem, found);
    EXPECT_TRUE(test::enough_by_expansion(problem, found.at_least));
    EXPECT_FALSE(test::enough_by_expansion(problem, found.at_least - 1));
}

TEST(FewestSteps, OfAllPortsComeWithASchedule) {
    // Many tokens over one link in one fat step, of which each half may get at most half.
    const Network mesh = test::stored_network("mesh:16x16");
    load::Loads loads(256, 0);
    for (NodeId row = 0; row < 4; ++row)
        for (NodeId column = 0; column < 4; ++column)
            loads[std::size_t{row} * 16 + column] = 40;
    const Problem problem = test::levelling(mesh, loads, true);
    const EnclosedSteps found = fewest_steps(problem);
    EXPECT_TRUE(found.exact());
    EXPECT_FALSE(found.steps.empty());
    expect_proved(problem, found);
}

TEST(FewestSteps, AreAnIntervalWithProofsWhenMemoryOrTimeRunsOut) {
    const Network mesh = test::stored_network("mesh:40x40");
    const Problem problem = test::levelling(mesh, test::corner_loads(1600, 16000), false);
    const Step least = minimum_steps(problem).at_least;
    FewestStepsOptions little_memory;
    little_memory.small_arcs_max = 0;
    little_memory.memory_bytes_max = 100'000;
    FewestStepsOptions no_time;
    std::stop_source stop;
    stop.request_stop();
    no_time.stop = stop.get_token();
    for (const FewestStepsOptions& options : {little_memory, no_time}) {
        const EnclosedSteps found = fewest_steps(problem, options);
        EXPECT_LE(found.at_least, least);
        EXPECT_GE(found.at_most.value_or(least), least);
        expect_proved(problem, found);
    }
}

/// Both ends, by windows whatever the proof is: there would be too many moves.
void expect_proved_by_windows(const Problem& problem, const EnclosedSteps& found, Step fewest) {
    EXPECT_LE(found.at_least, fewest);
    if (found.cut) {
        EXPECT_EQ(check_cut(problem, *found.cut), "");
    }
    if (!found.at_most) return;
    EXPECT_GE(*found.at_most, fewest);
    const FlowVerdict verdict =
        check_flow(problem, found.flow ? *found.flow : flow_of(found.steps));
    EXPECT_TRUE(verdict.holds) << verdict.fault;
    EXPECT_LE(verdict.steps, *found.at_most);
}

TEST(FewestSteps, AreRightWherePortsTimesStepsDoNotFitInto64Bits) {
    RandomStream random(27, Purpose::sampling);
    constexpr Tokens ports[] = {1, 3, 1'000'000'000};
    int by_phases = 0;
    for (int i = 0; i < 150; ++i) {
        auto [network, loads] = test::random_distribution(8, random);
        for (Tokens& load : loads)
            load *= 30'000'000'000 + static_cast<Tokens>(random.below(1'000'000'000));
        Problem problem = test::levelling(network, loads, false);
        for (NodeId node = 0; node < network.node_count(); ++node)
            problem.ports.push_back(ports[random.below(3)]);
        const EnclosedSteps by_layers = minimum_steps(problem);
        ASSERT_TRUE(by_layers.exact());
        FewestStepsOptions windows_first;
        windows_first.small_arcs_max = 0;
        const EnclosedSteps found = fewest_steps(problem, windows_first);
        EXPECT_TRUE(found.exact());
        EXPECT_EQ(found.bound, by_layers.bound);
        expect_proved_by_windows(problem, found, by_layers.at_least);
        for (const bool finely : {false, true}) {
            EnclosedSteps phased = scaled_bound(problem);
            EXPECT_EQ(phased.bound, by_layers.bound);
            if (finely)
                lower_by_phases(problem, {}, phased);
            else
                lower_by_short_ways(problem, {}, phased);
            expect_proved_by_windows(problem, phased, by_layers.at_least);
            by_phases += phased.at_most ? 1 : 0;
        }
    }
    EXPECT_GT(by_phases, 100);
}

TEST(FewestSteps, BoundsAreJudgedByTheNetworkOnWhichTheyAreFound) {
    const Network torus = test::stored_network("torus:20x20");
    Problem problem = test::levelling(torus, test::corner_loads(400, 400), false);
    EXPECT_EQ(bounds_memory_bytes(problem), 800U * 100 + 400U * 250);
    problem.delays.assign(800, 2);
    EXPECT_EQ(bounds_memory_bytes(problem), 800U * 160 + 400U * 450);
    problem.all_ports = true;  // found as in plain problems
    EXPECT_EQ(bounds_memory_bytes(problem), 800U * 100 + 400U * 250);
}

TEST(FewestSteps, GatesOfACutAreNotFoundWithoutTime) {
    const Network mesh = test::stored_network("mesh:20x20");
    const Problem problem = test::levelling(mesh, test::corner_loads(400, 400), false);
    std::stop_source stop;
    stop.request_stop();
    FlowBudget over(stop.get_token());
    const std::vector<NodeId> nodes = {0, 1, 20};
    EXPECT_FALSE(gates_within(over, problem, nodes));
    EXPECT_EQ(gates_of(problem, nodes).matching, 2);
}

TEST(FewestSteps, StopWhenAskedAlsoWhereEveryStepIsExpanded) {
    // The node in the corner can send to two others only, which are as full.
    const Network mesh = test::stored_network("mesh:100x100");
    load::Loads loads(10'000, 0);
    loads[0] = loads[1] = loads[100] = 20'000;
    Problem problem = test::levelling(mesh, loads, false);
    problem.capacities.assign(10'000, 20'000);
    std::stop_source stop;
    stop.request_stop();
    FewestStepsOptions no_time;
    no_time.stop = stop.get_token();
    const EnclosedSteps found = fewest_steps(problem, no_time);
    EXPECT_FALSE(found.exact());
    EXPECT_EQ(found.open, asked_to_stop);
    // What a single node needs; the cut that needs more was not looked for.
    EXPECT_LT(found.at_least, static_bound(problem).steps);
    expect_proved(problem, found);
}

}  // namespace
}  // namespace equipoise::optimum
