#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/optimum/waves/bound.hpp"
#include "equipoise/optimum/waves/check.hpp"
#include "equipoise/optimum/waves/move_search.hpp"
#include "equipoise/optimum/waves/planner.hpp"
#include "tests/support/items_draw.hpp"
#include "tests/support/wave_search.hpp"

namespace equipoise::optimum {
namespace {

using Kind = test::ItemsDraw::Kind;

/// A plan, unless it is refused because there is none.
std::optional<WavesPlan> plan_of(const ItemsProblem& problem) {
    try {
        return plan_waves(problem);
    } catch (const UnsuitableError&) {
        return std::nullopt;
    }
}

/// Plans are found exactly where there are some, with the fewest moves, and say so.
void expect_plans_wherever_there_are_some(Kind kind, std::uint64_t first_seed,
                                          std::uint64_t seeds) {
    std::uint64_t solvable = 0;
    std::uint64_t with_copies = 0;
    for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
        SCOPED_TRACE(seed);
        const ItemsProblem problem = test::ItemsDraw(seed)(kind);
        const std::optional<Tokens> fewest = test::fewest_single_moves(problem);
        const std::optional<WavesPlan> plan = plan_of(problem);
        ASSERT_EQ(plan && plan->found, fewest.has_value());
        ASSERT_EQ(plan && plan->none_exists, plan && !fewest);
        if (!fewest) continue;
        ++solvable;
        with_copies += problem.copies_of.empty() ? 0U : 1U;
        ASSERT_TRUE(check_waves(problem, plan->schedule).holds);
        ASSERT_EQ(plan->moves(), *fewest);
        ASSERT_TRUE(plan->moves_exact());
        ASSERT_EQ(check_wave_bound(problem, plan->wave_bound), "");
    }
    EXPECT_GT(solvable, seeds / 3);
    EXPECT_GT(with_copies, seeds / 4);
}

TEST(WavesOfCopies, OfOneSizeAreFoundWhereverAnySearchFindsThem) {
    expect_plans_wherever_there_are_some(Kind::one_size, 0, 1'000);
}

TEST(WavesOfCopies, OfSeveralSizesAreFoundWhereverAnySearchFindsThem) {
    expect_plans_wherever_there_are_some(Kind::several_sizes, 0, 1'000);
}

TEST(WavesOfCopies, ReachGivenPlacesWhereverAnySearchDoes) {
    expect_plans_wherever_there_are_some(Kind::given_places, 0, 1'000);
}

TEST(WavesOfCopiesLong, AreFoundWhereverAnySearchFindsThem) {
    for (const Kind kind : {Kind::one_size, Kind::several_sizes, Kind::given_places})
        expect_plans_wherever_there_are_some(kind, 1'000, 20'000);
}

TEST(WavesOfCopies, TakeNoFewerWavesThanIsClaimed) {
    int solvable = 0;
    int fewest_waves = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        SCOPED_TRACE(seed);
        const ItemsProblem problem = test::ItemsDraw(seed)(static_cast<Kind>(seed % 3));
        if (problem.items() > (problem.nodes == 2 ? 6U : 4U)) continue;
        const test::WaveOptimum best = test::WaveSearch(problem).run();
        ASSERT_EQ(best.moves, test::fewest_single_moves(problem));
        if (!best.moves) continue;
        ++solvable;
        const WavesPlan plan = plan_waves(problem);
        ASSERT_LE(plan.wave_bound.waves(), best.waves);
        ASSERT_GE(plan.waves, best.waves_of_fewest_moves);
        if (plan.waves == best.waves_of_fewest_moves) ++fewest_waves;
    }
    EXPECT_GT(solvable, 150);
    EXPECT_GE(fewest_waves * 100, solvable * 98);
}

TEST(WavesOfCopies, ThatMustPassEachOtherAreFound) {
    // A node is drained whose two items have copies almost everywhere.
    ItemsProblem problem;
    problem.nodes = 5;
    problem.places = {3, 4, 1, 2, 1, 0};
    problem.copies_of = {0, 0, 1, 1, 2, 2};
    problem.at_once = 1;
    problem.target = floor_or_ceiling(problem.counts(), std::vector<std::uint64_t>{1, 1, 1, 1, 0});
    const WavesPlan plan = plan_waves(problem);
    EXPECT_TRUE(plan.exact());
    EXPECT_EQ(plan.moves(), 1);
}

TEST(WavesOfCopies, OfSeveralSizesAreLevelledByTwoMovesInOneWave) {
    ItemsProblem problem;
    problem.nodes = 3;
    problem.places = {2, 0, 1, 2, 1, 2};
    problem.copies_of = {0, 0, 1, 1, 2, 3};
    problem.sizes = {4, 4, 6, 6, 8, 5};
    problem.at_once = 1;
    problem.target = at_most(3, 12);
    problem.may_hold_one.assign(3, true);
    const WavesPlan plan = plan_waves(problem);
    ASSERT_TRUE(plan.found);
    EXPECT_TRUE(plan.moves_exact());
    EXPECT_EQ(plan.moves(), 2);
    EXPECT_EQ(plan.waves, 1U);
}

TEST(WavesOfCopies, OfUnlikeSizesMayEndInEachOthersPlace) {
    // The copy of size 7 goes where one of size 5 is, which goes on to the node that takes 6.
    ItemsProblem problem;
    problem.nodes = 3;
    problem.places = {0, 1};
    problem.copies_of = {0, 0};
    problem.sizes = {5, 7};
    problem.final_places = {0, 2};
    problem.takes = {11, 0, 6};
    problem.gives = {9, 13, 7};
    const WavesPlan plan = plan_waves(problem);
    ASSERT_TRUE(plan.found);
    EXPECT_TRUE(plan.moves_exact());
    EXPECT_EQ(plan.moves(), 2);
    EXPECT_EQ(check_wave_bound(problem, plan.wave_bound), "");
}

TEST(WavesOfCopies, ItemsAboveRatesAreRefusedBeforeBoundsAreSought) {
    ItemsProblem problem;
    problem.nodes = 2;
    problem.places = {1, 1};
    problem.sizes = {8, 8};
    problem.final_places = {0, 0};
    problem.gives = {12, 10};
    problem.takes = {6, 13};
    EXPECT_THROW(static_cast<void>(plan_waves(problem)), UnsuitableError);
}

TEST(WaveBounds, ANodeOnWhichOneItemMayStayGivesAllButTheLargest) {
    ItemsProblem problem;
    problem.nodes = 4;
    problem.places = {0, 2, 2, 2, 0};
    problem.sizes = {5, 7, 6, 6, 5};
    problem.gives = {6, 12, 11, 1};
    problem.at_once = 2;
    problem.target = at_most(4, 10);
    problem.may_hold_one.assign(4, true);
    const WavesPlan plan = plan_waves(problem);
    EXPECT_TRUE(plan.exact());
    EXPECT_EQ(plan.waves, 2U);
    WaveBound bound = plan.wave_bound;
    EXPECT_EQ(bound.amount, 12);
    EXPECT_EQ(check_wave_bound(problem, bound), "");
    ++bound.amount;
    EXPECT_EQ(check_wave_bound(problem, bound), "the nodes must move 12, not 13");
}

TEST(MoveSearch, KnowsWhenThereIsNoPlan) {
    ItemsProblem problem;
    problem.nodes = 2;
    problem.places = {0, 1};
    problem.final_places = {1, 0};
    problem.capacities = {1, 1};
    SearchedMoves searched = search_moves(problem, 1'000'000);
    EXPECT_FALSE(searched.schedule);
    EXPECT_TRUE(searched.is_complete);
    problem.nodes = 3;
    problem.capacities.push_back(1);
    searched = search_moves(problem, 1'000'000);
    ASSERT_TRUE(searched.schedule);
    EXPECT_EQ(searched.schedule->size(), 3U);
    EXPECT_EQ(searched.moves_at_least, 3);
    searched = search_moves(problem, 5);
    EXPECT_FALSE(searched.schedule);
    EXPECT_FALSE(searched.is_complete);
    EXPECT_LE(searched.moves_at_least, 3);
}

TEST(MoveSearch, PacksMovesIntoWavesInTheirOrder) {
    ItemsProblem problem;
    problem.nodes = 4;
    problem.places = {0, 1, 2};
    problem.capacities = {1, 1, 1, 1};
    problem.final_places = {1, 2, 3};
    const WaveSchedule one_by_one = {{0, 2, 2, 3}, {1, 1, 1, 2}, {2, 0, 0, 1}};
    EXPECT_EQ(packed(problem, one_by_one), one_by_one);
    problem.capacities.assign(4, 2);
    EXPECT_EQ(packed(problem, one_by_one),
              (WaveSchedule{{0, 2, 2, 3}, {0, 1, 1, 2}, {0, 0, 0, 1}}));
}

}  // namespace
}  // namespace equipoise::optimum
