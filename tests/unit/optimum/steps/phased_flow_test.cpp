// Flows in phases, against the full expansion.

#include "equipoise/optimum/steps/phased_flow.hpp"

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/network/structure/breadth_first.hpp"
#include "equipoise/optimum/checks/flow_check.hpp"
#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "equipoise/optimum/steps/phased_steps.hpp"
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

TEST(PhasedFlow, OfSingleStepsIsAsShortAsAnyScheduleFromACorner) {
    const Network mesh = test::stored_network("mesh:9x9");
    const std::vector<std::uint32_t> distances = distances_from_zero(mesh);
    for (const bool all_ports : {false, true})
        for (const NodeId side : {1U, 2U, 3U, 4U}) {
            const Problem problem = test::levelling(mesh, block(9, side, 20), all_ports);
            const Step fewest = minimum_steps(problem).at_least;
            PhasedFlow enough(problem, distances, fewest, 1);
            ASSERT_EQ(enough.carry({}), FlowOutcome::carried);
            const FlowOverTime flow = enough.flow_over_time();
            const FlowVerdict verdict = check_flow(problem, flow);
            EXPECT_TRUE(verdict.holds) << verdict.fault;
            EXPECT_LE(verdict.steps, fewest);
            PhasedFlow too_few(problem, distances, fewest - 1, 1);
            EXPECT_EQ(too_few.carry({}), FlowOutcome::blocked);
        }
}

TEST(PhasedFlow, IsAProofWhateverThePhasesAndTheProblem) {
    int carried = 0;
    const auto expect_proof = [&](const Problem& problem) {
        const std::vector<std::uint32_t> distances = distances_from_zero(*problem.network);
        if (std::count(distances.begin(), distances.end(), network::unreachable) > 0) return;
        for (const Step steps : {1U, 2U, 3U, 5U, 9U, 40U})
            for (const Step phase : {1U, 2U, 5U}) {
                PhasedFlow phased(problem, distances, steps, phase);
                if (phased.carry({}) != FlowOutcome::carried) continue;
                ++carried;
                const FlowVerdict verdict = check_flow(problem, phased.flow_over_time());
                EXPECT_TRUE(verdict.holds) << verdict.fault;
                EXPECT_LE(verdict.steps, steps);
                EXPECT_TRUE(test::enough_by_expansion(problem, steps));
            }
    };
    for (const bool all_ports : {false, true})
        test::for_everything_small(all_ports, expect_proof);
    RandomStream random(31, Purpose::sampling);
    test::for_random_problems(random, expect_proof);
    EXPECT_GT(carried, 10'000);
}

TEST(PhasedFlow, StopsWhenAsked) {
    const Network mesh = test::stored_network("mesh:30x30");
    const Problem problem = test::levelling(mesh, block(30, 6, 100), false);
    std::stop_source stop;
    stop.request_stop();
    const std::vector<std::uint32_t> distances = distances_from_zero(mesh);
    PhasedFlow phased(problem, distances, 2000, 1);
    EXPECT_EQ(phased.carry(stop.get_token()), FlowOutcome::stopped);
}

TEST(PhasedSteps, CloseWhatWindowsLeaveOpen) {
    for (const char* spec : {"mesh:24x24", "torus:24x24", "mesh:12x12x12"}) {
        const Network network = test::stored_network(spec);
        load::Loads loads(network.node_count(), 0);
        // Of a mesh the corner, of a torus a block that is a corner only by its numbers.
        const NodeId side = network.node_count() == 1728 ? 12 : 24;
        for (NodeId node = 0; node < network.node_count(); ++node)
            if (node % side < 5 && node / side % side < 5 && node / side / side < 5)
                loads[node] = 25;
        const Problem problem = test::levelling(network, loads, false);
        EnclosedSteps found = scaled_steps(problem);
        EXPECT_FALSE(found.exact()) << spec;
        lower_by_phases(problem, {}, found);
        EXPECT_TRUE(found.exact()) << spec << ", " << found.at_least << " to " << *found.at_most;
        EXPECT_EQ(found.open, "");
        const FlowVerdict verdict = check_flow(problem, *found.flow);
        EXPECT_TRUE(verdict.holds) << verdict.fault;
        EXPECT_LE(verdict.steps, found.at_least);
    }
}

TEST(PhasedSteps, LeaveAnIntervalAsItIsWithoutMemoryOrTime) {
    const Network mesh = test::stored_network("mesh:24x24");
    const Problem problem = test::levelling(mesh, block(24, 5, 25), false);
    const EnclosedSteps open = scaled_steps(problem);
    std::stop_source stop;
    stop.request_stop();
    for (const PhasedStepsOptions& options : {PhasedStepsOptions{.memory_bytes_max = 1000},
                                              PhasedStepsOptions{.stop = stop.get_token()}}) {
        EnclosedSteps found = open;
        lower_by_phases(problem, options, found);
        EXPECT_EQ(found.at_least, open.at_least);
        EXPECT_EQ(found.at_most, open.at_most);
        EXPECT_EQ(found.open, open.open);
    }
}

}  // namespace
}  // namespace equipoise::optimum
