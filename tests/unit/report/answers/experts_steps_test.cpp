#include "equipoise/report/answers/experts_steps.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace equipoise::report {
namespace {

/// A layer of levels before and after, with a bound of 1.
ExpertsAtStep layer_of(std::uint64_t number, double kept, double before, double after,
                       std::uint64_t copied) {
    ExpertsAtStep layer;
    layer.layer = number;
    layer.kept = kept;
    layer.figures.layers = 1;
    layer.figures.within = after < 1.5 ? 1 : 0;
    layer.figures.before = {before, before, number};
    layer.figures.after = {after, after, number};
    layer.figures.at_least = {1, 1, number};
    layer.figures.slots = 10;
    layer.figures.copied = copied;
    layer.figures.copied_at_least = copied / 2;
    layer.figures.waves = static_cast<Step>(copied);
    return layer;
}

ExpertsSteps two_steps() {
    ExpertsSteps answer;
    answer.loads = "day.json";
    answer.experts = 8;
    answer.machines = {2, 5, 1, 0};
    answer.steps = {{0, {layer_of(3, 2, 0, 1.2, 0), layer_of(4, 3, 0, 1.4, 0)}, {}},
                    {1, {layer_of(3, 2.5, 2, 1.2, 4)}, {{3, {0, 7, 1, 0}}}}};
    return answer;
}

TEST(ExpertsSteps, MeansAreOverTheLayersThatHaveALevel) {
    const ExpertsSums sums = sums_of(two_steps().steps);
    EXPECT_DOUBLE_EQ(sums.kept.mean, 2.5);
    EXPECT_DOUBLE_EQ(sums.kept.worst, 3);
    EXPECT_EQ(sums.kept.layer, 4U);
    EXPECT_DOUBLE_EQ(sums.figures.before.mean, 2);
    EXPECT_DOUBLE_EQ(sums.figures.after.mean, (1.2 + 1.4 + 1.2) / 3);
    EXPECT_DOUBLE_EQ(sums.figures.after.worst, 1.4);
    EXPECT_EQ(sums.figures.after.layer, 4U);
    EXPECT_EQ(sums.figures.layers, 3U);
    EXPECT_EQ(sums.figures.slots, 30U);
    EXPECT_EQ(sums.figures.copied, 4U);
    EXPECT_EQ(sums.figures.copied_at_least, 2U);
    EXPECT_EQ(sums_of({}).figures.layers, 0U);
    EXPECT_EQ(sums_of({}).figures.after.mean, 0);
}

TEST(ExpertsSteps, AreReachedIfEveryLayerIsWithinTheBoundAtEveryStep) {
    ExpertsSteps answer = two_steps();
    EXPECT_TRUE(answer.reached());
    EXPECT_EQ(answer.steps_with_copies(), 1U);
    answer.steps[1].layers[0].figures.within = 0;
    EXPECT_FALSE(answer.reached());
    EXPECT_NE(experts_text(answer, {}, true).find("kept by 2 of 3 for"), std::string::npos);
}

TEST(ExpertsSteps, ALayerWithoutAPlacementBeforeCopiesNothing) {
    ExpertsLayer layer;
    layer.number = 3;
    layer.planned = true;
    layer.total = 10;
    layer.plan.after.largest = 6;
    layer.plan.after.copied = 10;
    layer.plan.largest.at_least = 5;
    layer.plan.limit = 6;
    const ExpertsMachines machines{2, 5, 1, 0};
    const ExpertsStep from_nothing = experts_step(7, {&layer, 1}, machines);
    EXPECT_EQ(from_nothing.number, 7U);
    ASSERT_EQ(from_nothing.layers.size(), 1U);
    EXPECT_EQ(from_nothing.layers[0].figures.copied, 0U);
    EXPECT_DOUBLE_EQ(from_nothing.layers[0].figures.after.mean, 1.2);
    layer.plan.before.largest = 9;
    EXPECT_EQ(experts_step(7, {&layer, 1}, machines).layers[0].figures.copied, 10U);
    layer.planned = false;
    EXPECT_TRUE(experts_step(7, {&layer, 1}, machines).layers.empty());
}

TEST(ExpertsSteps, ExpertsThatAreNowhereAreSaidToComeFromStorage) {
    ExpertsSteps answer = two_steps();
    EXPECT_EQ(experts_text(answer, {}, true).find("missing"), std::string::npos);
    answer.steps[1].layers[0].figures.missing = 1;
    EXPECT_NE(experts_text(answer, {}, true)
                  .find("\n  missing         1 expert was in no slot: copied from storage"),
              std::string::npos);
    const auto object = nlohmann::json::parse(experts_json(answer));
    EXPECT_EQ(object["missing"], 1);
    EXPECT_EQ(object["steps"][0]["missing"], 0);
    EXPECT_EQ(object["steps"][1]["missing"], 1);
}

TEST(ExpertsSteps, CsvHasALineForEachStepAndLeavesOutWhatIsNotThere) {
    EXPECT_EQ(experts_csv(two_steps()),
              "step,layers,kept,kept_worst,before,before_worst,after,after_worst,at_least,"
              "at_least_worst,within,copied,copied_at_least,waves,waves_at_least\n"
              "0,2,2.5,3,,,1.2999999999999998,1.4,1,1,2,0,0,0,0\n"
              "1,1,2.5,2.5,2,2,1.2,1.2,1,1,1,4,2,4,0\n");
    EXPECT_EQ(transfers_csv(two_steps()), "step,layer,wave,expert,from,to\n1,3,0,7,1,0\n");
}

TEST(ExpertsSteps, JsonHasEveryLayerOfEveryStep) {
    const auto object = nlohmann::json::parse(experts_json(two_steps()));
    EXPECT_EQ(object["steps"].size(), 2U);
    EXPECT_TRUE(object["steps"][0]["largest"]["before"].is_null());
    EXPECT_EQ(object["steps"][0]["layers"][1]["largest"]["kept"], 3);
    EXPECT_EQ(object["steps"][1]["layers"][0]["transfers"]["experts"], 4);
    EXPECT_EQ(object["transfers"]["experts"], 4);
    EXPECT_EQ(object["steps_with_copies"], 1);
    EXPECT_EQ(object["reached"], true);
}

TEST(ExpertsSteps, TextListsTheFirstStepsAndSaysHowManyThereAre) {
    const std::string all = experts_text(two_steps(), {}, true);
    EXPECT_EQ(all.find("in all; --csv"), std::string::npos);
    const std::string one = experts_text(two_steps(), {}, true, 1);
    EXPECT_NE(one.find("(2 steps in all; --csv lists them)\n"), std::string::npos);
    EXPECT_LT(one.size(), all.size() + 40);
}

}  // namespace
}  // namespace equipoise::report
