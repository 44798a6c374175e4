// Flows in phases, against the full expansion.

#include "equipoise/optimum/steps/phased_flow.hpp"

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/network/structure/breadth_first.hpp"
#include "equipoise/optimum/checks/flow_check.hpp"
#include "equipoise/optimum/steps/delayed_flow.hpp"
#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "equipoise/optimum/steps/phased_steps.hpp"
#include "equipoise/optimum/steps/phases.hpp"
#include "equipoise/optimum/steps/places.hpp"
#include "equipoise/optimum/steps/refined_flow.hpp"
#include "equipoise/optimum/steps/scaled_steps.hpp"
#include "tests/support/by_expansion.hpp"
#include "tests/support/distribution_instances.hpp"

namespace equipoise::optimum {
namespace {

using network::Network;

std::vector<std::uint32_t> distances_from_zero(const Network& network) {
    network::BreadthFirst search;
    search.run(network, 0);
    return search.distances();
}

/// A square block of full nodes in the corner of a square mesh.
load::Loads block(NodeId side, NodeId block_side, Tokens each) {
    load::Loads loads(std::size_t{side} * side, 0);
    for (NodeId row = 0; row < block_side; ++row)
        for (NodeId column = 0; column < block_side; ++column)
            loads[std::size_t{row} * side + column] = each;
    return loads;
}

constexpr std::uint32_t all_pieces = 1000;

TEST(PhasedFlow, InTheFinestPhasesIsAsShortAsAnyScheduleFromACorner) {
    const Network mesh = test::stored_network("mesh:9x9");
    const std::vector<std::uint32_t> distances = distances_from_zero(mesh);
    for (const bool all_ports : {false, true})
        for (const NodeId side : {1U, 2U, 3U, 4U}) {
            const Problem problem = test::levelling(mesh, block(9, side, 20), all_ports);
            const Step fewest = minimum_steps(problem).at_least;
            Phases phases(problem, distances, fewest, all_pieces);
            EXPECT_TRUE(phases.finest());
            PhasedFlow enough(problem, phases);
            ASSERT_EQ(enough.carry({}), FlowOutcome::carried);
            const FlowVerdict verdict = check_flow(problem, enough.flow_over_time());
            EXPECT_TRUE(verdict.holds) << verdict.fault;
            EXPECT_LE(verdict.steps, fewest);
            PhasedFlow too_few(problem, Phases(problem, distances, fewest - 1, all_pieces));
            EXPECT_EQ(too_few.carry({}), FlowOutcome::blocked);
        }
}

TEST(PhasedFlow, IsAProofWhateverThePhasesAndTheProblem) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    int carried = 0;
    const auto expect_proof = [&](const Problem& problem) {
        const Step bound = std::max<Step>(1, scaled_bound(problem).at_least);
        for (const auto& places :
             {distances_from_zero(*problem.network), places_along_flow(problem, bound, {})}) {
            if (places.empty() ||
                std::count(places.begin(), places.end(), network::unreachable) > 0)
                continue;
            for (const Step steps : {bound, bound + 1, bound + 7}) {
                // Each begins with the one before, the second also with an unfinished one.
                PhasedFlow necessary(problem, Phases(problem, places, steps, 0));
                const bool may_be_enough = necessary.carry({}, steps % 3) != FlowOutcome::blocked;
                necessary.shrink();
                PhasedFlow few(problem, Phases(problem, places, steps, 1), &necessary);
                const FlowOutcome with_few = few.carry({});
                if (with_few == FlowOutcome::carried) {
                    ++carried;
                    EXPECT_TRUE(may_be_enough);
                    const FlowVerdict verdict = check_flow(problem, few.flow_over_time());
                    EXPECT_TRUE(verdict.holds) << verdict.fault;
                    EXPECT_LE(verdict.steps, steps);
                    EXPECT_TRUE(test::enough_by_expansion(problem, steps));
                }
                few.shrink();
                PhasedFlow some(problem, Phases(problem, places, steps, 3), &few);
                if (some.carry({}) != FlowOutcome::carried) continue;
                const FlowVerdict verdict = check_flow(problem, some.flow_over_time());
                EXPECT_TRUE(verdict.holds) << verdict.fault;
                EXPECT_LE(verdict.steps, steps);
                EXPECT_TRUE(test::enough_by_expansion(problem, steps));
            }
        }
    };
    for (const bool all_ports : {false, true})
        test::for_everything_small(all_ports, expect_proof);
    RandomStream random(31, Purpose::sampling);
    test::for_random_problems(random, expect_proof);
    EXPECT_GT(carried, 10'000);
}

TEST(PhasedFlow, TakesTheStepsOfDelayedPhasesOnceItIsDelayed) {
    int carried = 0;
    const auto expect_in_time = [&](const Problem& problem) {
        const Step bound = std::max<Step>(1, scaled_bound(problem).at_least);
        for (const auto& places :
             {distances_from_zero(*problem.network), places_along_flow(problem, bound, {})}) {
            if (places.empty() ||
                std::count(places.begin(), places.end(), network::unreachable) > 0)
                continue;
            for (const Step steps : {bound, bound + 1, bound + 7}) {
                PhasedFlow flow(problem, Phases::delayed(problem, places, steps));
                if (flow.carry({}) != FlowOutcome::carried) continue;
                ++carried;
                EXPECT_LE(delayed_flow(problem, flow.over_links()).steps, steps);
            }
        }
    };
    for (const bool all_ports : {false, true})
        test::for_everything_small(all_ports, expect_in_time);
    RandomStream random(32, Purpose::sampling);
    test::for_random_problems(random, expect_in_time);
    EXPECT_GT(carried, 10'000);
}

TEST(PhasedFlow, IsTheSameProofWhateverItBeginsWith) {
    const Network mesh = test::stored_network("mesh:20x20");
    const Problem problem = test::levelling(mesh, block(20, 5, 40), false);
    const std::vector<std::uint32_t> distances = distances_from_zero(mesh);
    const Step fewest = minimum_steps(problem).at_least;
    for (const Step steps : {fewest, fewest - 1}) {
        PhasedFlow cold(problem, Phases(problem, distances, steps, 16));
        PhasedFlow coarse(problem, Phases(problem, distances, steps, 1));
        static_cast<void>(coarse.carry({}, 2));
        coarse.shrink();
        PhasedFlow warm(problem, Phases(problem, distances, steps, 16), &coarse);
        EXPECT_EQ(cold.carry({}), warm.carry({})) << steps;
    }
}

TEST(PhasedFlow, StopsWhenAsked) {
    const Network mesh = test::stored_network("mesh:30x30");
    const Problem problem = test::levelling(mesh, block(30, 6, 100), false);
    std::stop_source stop;
    stop.request_stop();
    const std::vector<std::uint32_t> distances = distances_from_zero(mesh);
    PhasedFlow phased(problem, Phases(problem, distances, 2000, 4));
    EXPECT_EQ(phased.carry(stop.get_token()), FlowOutcome::stopped);
    EXPECT_EQ(phased.carry({}, 0), FlowOutcome::unfinished);
}

TEST(PhasedSteps, MeetTheBoundOfBlocksAndOfSpikesOnTrees) {
    for (const char* spec : {"mesh:24x24", "torus:24x24", "mesh:12x12x12", "random-tree:n=600"}) {
        const Network network = test::stored_network(spec);
        load::Loads loads(network.node_count(), 0);
        // Of a mesh the corner, of a torus a block that is a corner only by its numbers; of a tree
        // some nodes with many tokens.
        const NodeId side = network.node_count() == 1728 ? 12 : 24;
        for (NodeId node = 0; node < network.node_count(); ++node) {
            if (network.node_count() == 600)
                loads[node] = node % 50 == 0 ? 2000 : 0;
            else if (node % side < 5 && node / side % side < 5 && node / side / side < 5)
                loads[node] = 25;
        }
        for (const bool all_ports : {false, true}) {
            if (all_ports && network.node_count() != 600) continue;
            const Problem problem = test::levelling(network, loads, all_ports);
            EnclosedSteps found = scaled_bound(problem);
            lower_by_phases(problem, {.briefly = true}, found);
            ASSERT_TRUE(found.exact()) << spec << ", at least " << found.at_least;
            EXPECT_EQ(found.open, "");
            const FlowVerdict verdict = check_flow(problem, *found.flow);
            EXPECT_TRUE(verdict.holds) << verdict.fault;
            EXPECT_LE(verdict.steps, found.at_least);
        }
    }
}

void expect_flow_holds(const Problem& problem, const EnclosedSteps& found) {
    ASSERT_TRUE(found.flow);
    const FlowVerdict verdict = check_flow(problem, *found.flow);
    EXPECT_TRUE(verdict.holds) << verdict.fault;
    EXPECT_LE(verdict.steps, *found.at_most);
}

TEST(PhasedSteps, ByShortWaysAreFewMoreThanTheFewest) {
    for (const char* spec : {"mesh:24x24", "torus:24x24", "mesh:12x12x12"})
        for (const bool all_ports : {false, true}) {
            const Network network = test::stored_network(spec);
            const NodeId side = network.node_count() == 1728 ? 12 : 24;
            load::Loads loads(network.node_count(), 0);
            for (NodeId node = 0; node < network.node_count(); ++node)
                if (node % side < 5 && node / side % side < 5 && node / side / side < 5)
                    loads[node] = 25;
            const Problem problem = test::levelling(network, loads, all_ports);
            EnclosedSteps found = scaled_bound(problem);
            lower_by_short_ways(problem, {}, found);
            expect_flow_holds(problem, found);
            network::BreadthFirst search;
            search.run(network, 0);
            EXPECT_LE(*found.at_most, found.at_least + search.distances()[search.order().back()])
                << spec;
        }
}

TEST(PhasedSteps, ByDelayedWaysAreAtMostAFewMoreThanTheBound) {
    const Network mesh = test::stored_network("mesh:12x12x12");
    load::Loads loads(mesh.node_count(), 0);
    for (NodeId node = 0; node < mesh.node_count(); ++node)
        if (node % 12 < 3 && node / 12 % 12 < 3 && node / 144 < 3) loads[node] = 500;
    const Problem problem = test::levelling(mesh, loads, false);
    EnclosedSteps found = scaled_bound(problem);
    lower_by_delayed_ways(problem, {}, found);
    EXPECT_FALSE(found.at_most.has_value());  // there is nothing to lower
    lower_by_short_ways(problem, {}, found);
    const Step by_short_ways = *found.at_most;
    lower_by_delayed_ways(problem, {}, found);
    expect_flow_holds(problem, found);
    EXPECT_LT(*found.at_most, by_short_ways);
    EXPECT_LE(*found.at_most - found.at_least, (by_short_ways - found.at_least) / 4);
    // All can leave this corner in time, however far they go.
    lower_by_delayed_ways(problem, {.briefly = true}, found);
    EXPECT_TRUE(found.exact());
}

TEST(PhasedSteps, ByShortWaysAreProvedOrNoneOnEverythingSmall) {
    int found_some = 0;
    const auto expect_proof = [&](const Problem& problem) {
        EnclosedSteps found = scaled_bound(problem);
        lower_by_short_ways(problem, {}, found);
        if (!found.at_most) return;
        ++found_some;
        lower_by_delayed_ways(problem, {}, found);
        expect_flow_holds(problem, found);
        EXPECT_TRUE(test::enough_by_expansion(problem, *found.at_most));
    };
    for (const bool all_ports : {false, true})
        test::for_everything_small(all_ports, expect_proof);
    RandomStream random(37, Purpose::sampling);
    test::for_random_problems(random, expect_proof);
    EXPECT_GT(found_some, 1000);
}

TEST(PhasedSteps, TakeNoMoreMemoryThanTheyMay) {
    const Network mesh = test::stored_network("mesh:24x24");
    const Problem problem = test::levelling(mesh, block(24, 5, 25), false);
    const EnclosedSteps open = scaled_bound(problem);
    const std::vector<std::uint32_t> distances = distances_from_zero(mesh);
    const std::uint64_t one =
        PhasedFlow::bytes(problem, Phases(problem, distances, open.at_least, 0));
    for (const std::uint64_t more : {0U, 1U}) {
        EnclosedSteps found = open;
        lower_by_short_ways(problem, {.memory_bytes_max = one - 1 + more}, found);
        EXPECT_EQ(found.at_most.has_value(), more == 1);
    }
    // A finer flow is made while the one before is still there.
    const Phases coarse(problem, distances, open.at_least, 0);
    const std::uint64_t both =
        PhasedFlow::bytes(problem, Phases(problem, distances, open.at_least, 1)) +
        PhasedFlow::bytes_shrunk(problem, coarse);
    const Step enough = open.at_least + 200;
    EXPECT_FALSE(
        refined_flow(problem, distances, enough, {.memory_bytes_max = both / 2, .pieces_max = 1})
            .flow);
    EXPECT_TRUE(
        refined_flow(problem, distances, enough, {.memory_bytes_max = both * 2, .pieces_max = 1})
            .flow);
}

TEST(PhasedSteps, LeaveAnIntervalAsItIsWithoutMemoryOrTime) {
    const Network mesh = test::stored_network("mesh:24x24");
    const Problem problem = test::levelling(mesh, block(24, 5, 25), false);
    const EnclosedSteps open = scaled_bound(problem);
    std::stop_source stop;
    stop.request_stop();
    for (const PhasedStepsOptions& options : {PhasedStepsOptions{.memory_bytes_max = 1000},
                                              PhasedStepsOptions{.stop = stop.get_token()}}) {
        EnclosedSteps found = open;
        lower_by_short_ways(problem, options, found);
        lower_by_delayed_ways(problem, options, found);
        lower_by_phases(problem, options, found);
        EXPECT_EQ(found.at_least, open.at_least);
        EXPECT_EQ(found.at_most, open.at_most);
        EXPECT_EQ(found.open, open.open);
    }
}

}  // namespace
}  // namespace equipoise::optimum
