// Schedules of flows in phases.

#include "equipoise/optimum/steps/phased_schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "equipoise/optimum/steps/places.hpp"
#include "equipoise/optimum/steps/refined_flow.hpp"
#include "equipoise/optimum/steps/scaled_steps.hpp"
#include "tests/support/by_expansion.hpp"
#include "tests/support/distribution_instances.hpp"

namespace equipoise::optimum {
namespace {

using network::Network;

/// Checks a schedule if there is one, and returns whether there is.
bool holds_if_found(const Problem& problem, const std::optional<Schedule>& schedule, Step steps) {
    if (!schedule) return false;
    const ScheduleVerdict verdict = check_schedule(problem, *schedule);
    EXPECT_EQ(verdict.fault, "");
    EXPECT_LE(verdict.steps, steps);
    return true;
}

/// A square block of full nodes in the corner of a square mesh.
load::Loads corner_block(NodeId side, NodeId block_side, Tokens each) {
    load::Loads loads(std::size_t{side} * side, 0);
    for (NodeId row = 0; row < block_side; ++row)
        for (NodeId column = 0; column < block_side; ++column)
            loads[std::size_t{row} * side + column] = each;
    return loads;
}

TEST(PhasedSchedule, HoldsWhateverTheProblemAndExistsWhereverAFlowInCoarserPhasesDoes) {
    int found = 0;
    const auto expect_schedules = [&](const Problem& problem) {
        const Step bound = std::max<Step>(1, scaled_bound(problem).at_least);
        for (const Step steps : {bound, bound + 1, bound + 7}) {
            const bool exists = holds_if_found(problem, phased_schedule(problem, steps), steps);
            found += exists ? 1 : 0;
            if (exists) continue;
            for (const auto& places :
                 {places_from_root(problem), places_along_flow(problem, steps, {})})
                if (!places.empty()) {
                    EXPECT_FALSE(refined_flow(problem, places, steps, {.pieces_max = 4}).flow);
                }
        }
    };
    for (const bool all_ports : {false, true})
        test::for_everything_small(all_ports, expect_schedules);
    RandomStream random(41, Purpose::sampling);
    test::for_random_problems(random, expect_schedules);
    EXPECT_GT(found, 10'000);
}

TEST(PhasedSchedule, IsAsShortAsAnyFromACorner) {
    const Network mesh = test::stored_network("mesh:9x9");
    for (const bool all_ports : {false, true})
        for (const NodeId side : {1U, 2U, 3U, 4U}) {
            const Problem problem = test::levelling(mesh, corner_block(9, side, 20), all_ports);
            const Step fewest = minimum_steps(problem).at_least;
            EXPECT_TRUE(holds_if_found(problem, phased_schedule(problem, fewest), fewest));
            EXPECT_FALSE(phased_schedule(problem, fewest - 1));
        }
}

TEST(PhasedSchedule, FindsWholeTokensForABlockOnAMeshInTheFewestSteps) {
    const Network mesh = test::stored_network("mesh:60x60");
    const Problem problem = test::levelling(mesh, corner_block(60, 8, 80), false);
    const Step bound = scaled_bound(problem).at_least;
    EXPECT_TRUE(holds_if_found(problem, phased_schedule(problem, bound), bound));
}

TEST(PhasedSchedule, IsNotLookedForBeyondMovesMemoryOrTime) {
    const Network mesh = test::stored_network("mesh:9x9");
    const Problem problem = test::levelling(mesh, corner_block(9, 3, 20), false);
    const Step fewest = minimum_steps(problem).at_least;
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(phased_schedule(problem, fewest, {.memory_bytes_max = 1000}));
    EXPECT_FALSE(phased_schedule(problem, fewest, {.stop = stop.get_token()}));
    EXPECT_FALSE(phased_schedule(problem, fewest, {.moves_max = 100}));
}

}  // namespace
}  // namespace equipoise::optimum
