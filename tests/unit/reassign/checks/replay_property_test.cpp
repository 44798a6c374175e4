#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/reassign/checks/ends.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "tests/support/reassign_brute_force.hpp"
#include "tests/support/reassign_draw.hpp"

namespace equipoise::reassign {
namespace {

using Places = std::vector<MachineId>;

std::vector<Move> wave_to(const Places& from, const Places& to, Step wave) {
    std::vector<Move> moves;
    for (ItemId item = 0; item < from.size(); ++item)
        if (from[item] != to[item]) moves.push_back({wave, item, from[item], to[item]});
    return moves;
}

/// From some seed on, problems with leaders and copies that are to be made; and from another one
/// on, problems in which giving and taking count together.
test::DrawnSize size_of(std::uint64_t seed, std::uint64_t with_copies, std::uint64_t half_duplex) {
    if (seed >= half_duplex)
        return {.items = seed % 2 == 0 ? 4U : 3U,
                .machines = 3,
                .copies = seed % 2 == 1,
                .half_duplex = true};
    if (seed < with_copies) return {4, 3};
    return {.items = 3, .machines = 2, .copies = true};
}

TEST(ReassignReplay, AllowsTheSingleWavesThatTheDefinitionReadAnotherWayAllows) {
    std::size_t allowed = 0;
    std::size_t refused = 0;
    for (std::uint64_t seed = 0; seed < 1'100; ++seed) {
        const Problem problem = test::ReassignDraw(seed).draw(size_of(seed, 500, 800));
        const test::AllSchedules all(problem);
        Places places(problem.item_count(), 0);
        do {
            const Replayed replayed = replay(problem, wave_to(problem.places, places, 0));
            ASSERT_EQ(replayed.allowed, all.allows_first_wave(places))
                << "seed " << seed << ": " << replayed.fault;
            ASSERT_EQ(replayed.fault.empty(), replayed.allowed);
            ++(replayed.allowed ? allowed : refused);
        } while (all.placements().advance(places));
    }
    EXPECT_GT(allowed, 1'000U);
    EXPECT_GT(refused, 2'000U);
}

/// Waves at random, each kept if it is allowed.
TEST(ReassignReplay, OfSeveralWavesAgreesWithSinglePlacementsAndSchedulesOfAllKinds) {
    std::size_t longest = 0;
    for (std::uint64_t seed = 0; seed < 1'500; ++seed) {
        test::ReassignDraw draw(seed);
        const Problem problem = draw.draw(size_of(seed, 800, 1'200));
        const test::AllSchedules all(problem);
        RandomStream random(seed, Purpose::sampling, 1);
        const Standing before = stand(problem, problem.places);
        std::vector<Move> moves;
        Places places = problem.places;
        for (Step wave = 0; wave < 12; ++wave) {
            Places next = places;
            for (MachineId& place : next)
                if (random.below(3) == 0)
                    place = static_cast<MachineId>(random.below(problem.machine_count()));
            if (next == places) continue;
            std::vector<Move> longer = moves;
            for (const Move& move : wave_to(places, next, wave))
                longer.push_back(move);
            const Replayed replayed = replay(problem, longer);
            ASSERT_EQ(replayed.places, replayed.allowed ? next : places) << "seed " << seed;
            if (!replayed.allowed) {
                ASSERT_GE(replayed.fault_at, moves.size());
                continue;
            }
            moves = longer;
            places = next;
            const Standing now = stand(problem, places);
            ASSERT_EQ(replayed.end.score, now.score);
            ASSERT_TRUE(is_no_worse(now, before)) << "seed " << seed;
            ASSERT_TRUE(may_end(problem, places, now, before)) << "seed " << seed;
            ASSERT_EQ(replayed.moved[items_resource], static_cast<Tokens>(moves.size()));
            if (!within(problem.budget, replayed.moved, replayed.waves)) continue;
            const auto reach = all.reach(places);
            ASSERT_TRUE(reach) << "seed " << seed;
            ASSERT_LE(reach->waves, replayed.waves);
            ASSERT_LE(reach->moves, replayed.moved[items_resource]);
            longest = std::max<std::size_t>(longest, replayed.waves);
        }
    }
    EXPECT_GE(longest, 3U);
}

}  // namespace
}  // namespace equipoise::reassign
