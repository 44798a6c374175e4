// Plans: search, bounds and transfers together.

#include "equipoise/replication/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "tests/support/expert_loads.hpp"
#include "tests/support/replication_draw.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::replication {
namespace {

TEST(ReplicationPlan, SaysHowThingsStandAndWhatIsProved) {
    int within = 0;
    int fewest = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Problem problem = test::draw_replication(seed);
        const Plan plan = make_plan(problem, {.bound = 1.1});
        const Standing after = stand(problem, plan.placement);
        EXPECT_TRUE(after.allowed) << seed;
        EXPECT_EQ(plan.after.largest, after.largest);
        EXPECT_EQ(plan.after.copied, after.copied);
        EXPECT_GE(after.largest, plan.largest.at_least) << seed;
        EXPECT_GE(static_cast<Tokens>(after.copied), plan.copied.at_least) << seed;
        EXPECT_GE(plan.limit, plan.largest.at_least);
        EXPECT_EQ(plan.within(), after.largest <= plan.limit);
        EXPECT_EQ(fault_of(problem, plan.placement, plan.transfers, 1), "") << seed;
        if (problem.placement.empty()) {
            EXPECT_TRUE(plan.transfers.list.empty());
        } else if (plan.before.missing == 0) {
            EXPECT_EQ(plan.transfers.list.size(), after.copied) << seed;
        }
        if (problem.placement.empty()) {
            EXPECT_TRUE(plan.before.held.empty());
        } else {
            EXPECT_EQ(plan.before.largest, stand(problem, problem.placement).largest);
        }
        within += plan.within() ? 1 : 0;
        fewest += static_cast<Tokens>(after.copied) == plan.copied.at_least ? 1 : 0;
    }
    EXPECT_GT(within, 150);
    EXPECT_GT(fewest, 100);
}

TEST(ReplicationPlan, OfTinyProblemsIsTheBestThereIs) {
    int tiny = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const Problem problem = test::draw_replication(seed);
        const Plan plan = make_plan(problem, {.bound = 1.05});
        if (plan.copied.reason != "all placements were searched") continue;
        ++tiny;
        EXPECT_LE(plan.after.largest, plan.limit);
        EXPECT_EQ(static_cast<Tokens>(plan.after.copied), plan.copied.at_least);
        // What is proved without a search is no more.
        EXPECT_LE(largest_at_least(problem).at_least, plan.largest.at_least) << seed;
        EXPECT_LE(copied_at_least(problem, plan.limit).at_least, plan.copied.at_least) << seed;
    }
    EXPECT_GT(tiny, 100);
}

TEST(ReplicationPlan, FromNothingTheLevelIsTheLowestWhateverTheBound) {
    const Problem problem{{9, 8, 7, 6, 5, 4}, 3, 2, 1, 0, {}};
    const Plan plan = make_plan(problem, {.bound = 1.5});
    EXPECT_EQ(plan.after.largest, 13);
    EXPECT_EQ(plan.limit, 19);
    EXPECT_EQ(plan.copied.at_least, 6);
}

TEST(ReplicationPlan, SlotsForNearlyAllItemsAreNoReasonToSearchForLong) {
    const auto plan_of = [](std::uint32_t items, std::uint32_t machines, std::uint32_t slots) {
        Problem problem;
        for (std::uint32_t item = 0; item < items; ++item)
            problem.loads.push_back(Tokens{100} + item % 7);
        problem.machines = machines;
        problem.slots = slots;
        return make_plan(problem, {});
    };
    EXPECT_TRUE(plan_of(64, 1, 64).after.allowed);
    EXPECT_TRUE(plan_of(60, 3, 59).after.allowed);
    EXPECT_TRUE(plan_of(26, 3, 25).after.allowed);
}

TEST(ReplicationPlan, ManySlotsAreNotSearchedSlotBySlotEvenWhereThereIsOneWayToFillThem) {
    Problem problem;
    for (std::uint32_t item = 0; item < 64; ++item)
        problem.loads.push_back(Tokens{100} + item % 7);
    problem.machines = 4096;
    problem.slots = 64;
    const Plan plan = make_plan(problem, {});
    EXPECT_TRUE(plan.after.allowed);
    EXPECT_TRUE(plan.within());
}

TEST(ReplicationPlan, TheLimitIsTheBoundTimesWhatIsProvedToBeNeeded) {
    const Problem problem{{5, 5, 5, 5}, 2, 2, 1, 0, {}};
    EXPECT_EQ(make_plan(problem, {.bound = 1}).limit, 10);
    EXPECT_EQ(make_plan(problem, {.bound = 1.09}).limit, 10);
    EXPECT_EQ(make_plan(problem, {.bound = 1.1}).limit, 11);
    EXPECT_EQ(make_plan(problem, {.bound = 1e300}).limit, tokens_max);
}

TEST(ReplicationPlan, RefusesOptionsOutOfRange) {
    const Problem problem{{5, 5}, 2, 1, 1, 0, {}};
    for (const double bound : {0.99, -1.0, std::numeric_limits<double>::quiet_NaN()})
        EXPECT_EQ(
            test::thrown_by([&] { (void)make_plan(problem, {.bound = bound}); }).substr(0, 46),
            "input: expected a bound of 1 or more, found " + std::to_string(bound).substr(0, 2));
    EXPECT_EQ(test::thrown_by([&] { (void)make_plan(problem, {.at_once = 0}); }),
              "input: expected at least 1 copy at once, found 0");
}

/// How often the search ends at the optimum of tiny problems, and that it never undercuts it.
TEST(ReplicationPlan, NearlyAlwaysFindsTheBestOfAllPlacementsOfTinyProblems) {
    int solved = 0;
    int level = 0;
    int fewest = 0;
    for (std::uint64_t seed = 0; seed < 3000 && solved < 150; ++seed) {
        const Problem problem = test::draw_replication(seed);
        if (problem.all_slots() > 9) continue;
        const auto best = best_placement(problem, {}, 200'000);
        if (!best) continue;
        ++solved;
        const Standing found = stand(problem, search_placement(problem, {.limit = best->largest}));
        EXPECT_GE(found.largest, best->largest) << seed;
        level += found.largest == best->largest ? 1 : 0;
        if (problem.placement.empty() || found.largest > best->largest) {
            ++fewest;
        } else {
            EXPECT_GE(found.copied, best->copied) << seed;
            fewest += found.copied == best->copied ? 1 : 0;
        }
    }
    EXPECT_EQ(solved, 150);
    EXPECT_GE(level, 148);
    EXPECT_GE(fewest, 148);
}

/// Means over the layers of a recording.
struct Means {
    double layers = 0, level = 0, copied = 0, at_least = 0, level_of_rule = 0, copied_by_rule = 0;
    int within = 0;
};

/// Plans from the rule's placement for one recording to the loads of another: at the rule's level
/// for these, or within a bound of the mean.
std::optional<Means> plan_recordings(std::uint32_t groups, std::optional<double> of_mean) {
    const auto before = test::expert_loads("decode_in1000out1000");
    const auto after = test::expert_loads("decode_in2000out100");
    if (!before || !after) return std::nullopt;
    Means means;
    const auto count = static_cast<double>(before->size());
    means.layers = count;
    for (std::size_t layer = 0; layer < before->size(); ++layer) {
        Problem problem{(*before)[layer], 32, 9, groups == 0 ? 1U : 4U, groups, {}};
        problem.placement = test::PublishedRule::place(problem);
        problem.loads = (*after)[layer];
        const Standing rule = stand(problem, test::PublishedRule::place(problem));
        const double mean = 0x1p50 / 32;
        const Tokens limit = of_mean ? static_cast<Tokens>(*of_mean * mean) : rule.largest;
        const Standing found = stand(problem, search_placement(problem, {.limit = limit}));
        means.level += static_cast<double>(found.largest) / mean / count;
        means.copied += static_cast<double>(found.copied) / 288 / count;
        means.at_least +=
            static_cast<double>(copied_at_least(problem, limit).at_least) / 288 / count;
        means.level_of_rule += static_cast<double>(rule.largest) / mean / count;
        means.copied_by_rule += static_cast<double>(rule.copied) / 288 / count;
        means.within += found.largest <= limit ? 1 : 0;
    }
    return means;
}

TEST(ReplicationPlan, CopiesAnEighthOfWhatThePublishedRuleCopiesAtItsLevel) {
    const auto means = plan_recordings(0, {});
    if (!means) GTEST_SKIP() << "no data at ../shared/data/experts";
    EXPECT_EQ(means->within, 58);
    EXPECT_NEAR(means->level_of_rule, 1.0076, 0.0001);
    EXPECT_NEAR(means->copied_by_rule, 0.96, 0.005);
    EXPECT_LE(means->copied, means->copied_by_rule / 8);
    EXPECT_NEAR(means->copied_by_rule, 0.962, 0.0005);
    EXPECT_NEAR(means->copied, 0.113, 0.0005);
}

TEST(ReplicationPlan, CopiesAThirdOfWhatThePublishedRuleCopiesAtItsLevelByHosts) {
    const auto means = plan_recordings(8, {});
    if (!means) GTEST_SKIP() << "no data at ../shared/data/experts";
    EXPECT_EQ(means->within, 58);
    EXPECT_NEAR(means->copied_by_rule, 0.90, 0.005);
    EXPECT_LE(means->copied, means->copied_by_rule / 3);
    EXPECT_NEAR(means->copied_by_rule, 0.899, 0.0005);
    EXPECT_NEAR(means->copied, 0.160, 0.0005);
}

TEST(ReplicationPlan, CopiesFourPercentOfTheSlotsForALevelOfFivePercent) {
    const auto means = plan_recordings(0, 1.05);
    if (!means) GTEST_SKIP() << "no data at ../shared/data/experts";
    EXPECT_EQ(means->within, 58);
    EXPECT_LE(means->copied, 0.04);
    EXPECT_GE(means->copied, means->at_least);
    EXPECT_NEAR(means->copied, 0.033, 0.0005);
    EXPECT_NEAR(means->at_least, 0.017, 0.0005);
}

}  // namespace
}  // namespace equipoise::replication
