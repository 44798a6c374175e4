#include "equipoise/reassign/waves/wave_builder.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "tests/support/reassign_draw.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::reassign {
namespace {

bool has_debts(const WaveBuilder& builder) {
    std::vector<Debt> debts;
    for (const Move& move : builder.wave())
        builder.append_debts(move, debts);
    return !debts.empty();
}

TEST(ReassignWaveBuilder, SaysWhyAMoveIsRefused) {
    Problem problem = test::reassign_problem({0, 0, 1}, {4, 4, 9}, 3);
    problem.at_once = 1;
    problem.copied = 1;
    problem.capacities[3] = 10;  // bytes of b
    problem.capacities[5] = 5;   // bytes of c
    problem.item_labels.push_back({"group", {}, {no_value, 0, 0}});
    problem.item_labels[1].values.number_of("g");
    problem.apart.push_back({1});
    WaveBuilder builder(problem);
    EXPECT_EQ(builder.judge(0, 0), Refusal::never);
    EXPECT_EQ(builder.judge(2, 2), Refusal::never);  // larger than the whole of c
    EXPECT_EQ(builder.judge(0, 1), Refusal::room);
    problem.capacities[3] = 20;
    EXPECT_EQ(builder.judge(1, 1), Refusal::apart);
    EXPECT_EQ(builder.add(0, 1), Refusal::none);
    EXPECT_EQ(builder.judge(1, 2), Refusal::limit);
    builder.take_back();
    EXPECT_EQ(builder.add(1, 2), Refusal::none);
}

TEST(ReassignWaveBuilder, OwesThatItemsLeaveFromWhichAnArrivalMustBeApartInTheEnd) {
    Problem problem = test::reassign_problem({0, 1, 1}, {1, 1, 1}, 3);
    problem.item_labels.push_back({"group", {}, {0, 0, 0}});
    problem.item_labels[1].values.number_of("g");
    problem.apart.push_back({1, false});
    WaveBuilder builder(problem);
    ASSERT_EQ(builder.add(0, 1), Refusal::none);
    EXPECT_TRUE(has_debts(builder));
    ASSERT_EQ(builder.add(1, 0), Refusal::none);
    EXPECT_TRUE(has_debts(builder));
    ASSERT_EQ(builder.add(2, 2), Refusal::none);
    EXPECT_FALSE(has_debts(builder));
    // Where the first one stays after all, the second one must not arrive.
    builder.withdraw(0);
    EXPECT_TRUE(has_debts(builder));
    builder.take_back();
    EXPECT_FALSE(has_debts(builder));
    ASSERT_EQ(builder.wave().size(), 1U);
    EXPECT_EQ(builder.wave()[0].item, 2U);
}

TEST(ReassignWaveBuilder, CountsAnItemThatComesBackOnceWhereRoomIsReleasedAfterTheLastWave) {
    Problem problem = test::reassign_problem({0, 1}, {6, 4}, 2);
    problem.capacities = {tokens_max, 10, tokens_max, 10};
    problem.resources[1].release = Release::after_last;
    WaveBuilder builder(problem);
    ASSERT_EQ(builder.add(0, 1), Refusal::none);
    builder.end_wave();
    ASSERT_EQ(builder.add(0, 0), Refusal::none);
    builder.end_wave();
    ASSERT_EQ(builder.add(1, 0), Refusal::none);
    builder.end_wave();
    ASSERT_EQ(builder.add(0, 1), Refusal::none);
    builder.end_wave();
    EXPECT_TRUE(replay(problem, builder.moves()).allowed);
}

/// Moves at random, some of them and some waves taken back again.
TEST(ReassignWaveBuilder, AllowsExactlyWhatTheCheckerAllowsHoweverMuchIsTakenBack) {
    std::size_t ended = 0;
    std::size_t refused = 0;
    std::size_t apart_in_the_end = 0;
    for (std::uint64_t seed = 0; seed < 800; ++seed) {
        const Problem problem = test::ReassignDraw(seed).draw(
            {.items = 8, .machines = 4, .half_duplex = seed >= 300 && seed < 400});
        WaveBuilder builder(problem);
        RandomStream random(seed, Purpose::sampling, 4);
        for (int step = 0; step < 120; ++step) {
            const std::uint64_t what = random.below(12);
            if (what == 0 && builder.wave().empty() && builder.waves() > 0) {
                builder.reopen_wave();
            } else if (what <= 1 && !builder.wave().empty()) {
                builder.take_back();
            } else if (what <= 4 && !builder.wave().empty()) {
                const Replayed replayed = replay(problem, builder.moves());
                ASSERT_EQ(replayed.allowed, !has_debts(builder))
                    << "seed " << seed << ": " << replayed.fault;
                if (!replayed.allowed) continue;
                ASSERT_EQ(replayed.places, builder.places());
                builder.end_wave();
                ++ended;
                if (!replay(test::apart_on_the_way(problem), builder.moves()).allowed)
                    ++apart_in_the_end;
            } else {
                const auto item = static_cast<ItemId>(random.below(problem.item_count()));
                const auto to = static_cast<MachineId>(random.below(problem.machine_count()));
                if (builder.moves_now(item)) continue;
                const MachineId from = builder.place(item);
                if (builder.add(item, to) == Refusal::none) continue;
                // The checker refuses the wave, whatever else is in it, with this move.
                std::vector<Move> moves = builder.moves();
                moves.push_back({builder.waves(), item, from, to});
                ASSERT_FALSE(replay(problem, moves).allowed) << "seed " << seed;
                ++refused;
            }
        }
    }
    EXPECT_GT(ended, 1'000U);
    EXPECT_GT(refused, 1'000U);
    EXPECT_GT(apart_in_the_end, 20U);
}

}  // namespace
}  // namespace equipoise::reassign
