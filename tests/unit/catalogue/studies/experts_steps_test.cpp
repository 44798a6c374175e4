#include "equipoise/catalogue/studies/experts_steps.hpp"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

namespace equipoise::catalogue {
namespace {

/// Eight experts on four GPUs; the third step of layer 0 has no loads, the loads of layer 1 stay.
ExpertsRequest three_steps() {
    ExpertsRequest request;
    request.loads = "loads";
    request.texts["loads"] =
        "[[[90,10,10,10,10,10,10,10],[50,40,30,20,10,10,10,10]],"
        "[[10,10,10,10,10,10,10,90],[50,40,30,20,10,10,10,10]],"
        "[[0,0,0,0,0,0,0,0],[50,40,30,20,10,10,10,10]]]";
    request.placement = "trivial";
    request.gpus = 4;
    request.slots = 3;
    request.bound = 1.2;
    request.each_step = true;
    return request;
}

TEST(ExpertsSteps, EachStepBeginsWhereTheStepBeforeEnded) {
    const report::ExpertsSteps answer = answer_experts_steps(three_steps());
    ASSERT_EQ(answer.steps.size(), 3U);
    // Alone, the loads of a step are planned like this from the placement that the others leave.
    ExpertsRequest request = three_steps();
    const ExpertsInput input = read_experts(request);
    std::vector<std::vector<replication::ItemId>> present = input.present;
    for (std::size_t number = 0; number < 3; ++number) {
        const auto layers = plan_layers(request, input, input.loads.steps[number], present);
        const auto figures = report::experts_figures(layers, input.machines);
        const auto sums = report::sums_of({&answer.steps[number], 1});
        EXPECT_DOUBLE_EQ(sums.figures.before.mean, figures.before.mean);
        EXPECT_DOUBLE_EQ(sums.figures.after.mean, figures.after.mean);
        EXPECT_EQ(sums.figures.copied, figures.copied);
        EXPECT_EQ(answer.steps[number].transfers.size(),
                  number == 2 ? layers[1].plan.transfers.list.size()
                              : layers[0].plan.transfers.list.size() +
                                    layers[1].plan.transfers.list.size());
        present = slots_after(input, layers, present);
    }
    EXPECT_EQ(answer.planned.slots, present);
}

TEST(ExpertsSteps, LayersThatATableLeavesOutKeepTheRowsOfAFile) {
    ExpertsRequest request = three_steps();
    request.texts["loads"] = "step,layer,expert,load\n0,1,0,3\n0,1,1,1\n1,1,0,1\n1,1,1,3\n";
    request.placement = "placement";
    request.texts["placement"] = R"({"physical_to_logical_map": [[1, 0, 1, 0], [0, 1, 0, 1]]})";
    request.slots = 1;
    const report::ExpertsSteps answer = answer_experts_steps(request);
    EXPECT_EQ(answer.planned.layers, std::vector<std::uint64_t>({0, 1}));
    EXPECT_EQ(answer.planned.slots[0], std::vector<replication::ItemId>({1, 0, 1, 0}));
    EXPECT_EQ(answer.steps[0].layers.size(), 1U);
}

TEST(ExpertsSteps, ARecordingOfVllmBeginsWithTheMapOfItsFirstStep) {
    const std::string first =
        R"({"record_type":"eplb_load_stats","expert_load":[[5,1,1,5]],"p2l_map":[[0,1,2,0]]})";
    const std::string second =
        R"({"record_type":"eplb_load_stats","expert_load":[[1,10,1,0]],"p2l_map":[[0,1,2,1]]})";
    ExpertsRequest request;
    request.loads = request.placement = "recording";
    request.texts["loads"] = request.texts["placement"] = first + '\n' + second + '\n';
    request.gpus = 2;
    request.each_step = true;
    // Under the first map, each GPU has 6 of 12 at the first step.
    const report::ExpertsSteps steps = answer_experts_steps(request);
    EXPECT_EQ(steps.steps[0].layers[0].figures.before.mean, 1.0);
    EXPECT_EQ(steps.steps[0].layers[0].figures.copied, 0U);
    // Another recording, and one plan for all steps, start from its end.
    request.texts["loads"] = first + '\n';
    EXPECT_EQ(read_experts(request).present[0], std::vector<replication::ItemId>({0, 1, 2, 1}));
    request.texts["loads"] = request.texts["placement"];
    request.each_step = false;
    EXPECT_EQ(read_experts(request).present[0], std::vector<replication::ItemId>({0, 1, 2, 1}));
}

TEST(ExpertsSteps, NothingIsCopiedWhileTheOldPlacementIsWithinTheBound) {
    const report::ExpertsSteps answer = answer_experts_steps(three_steps());
    for (std::size_t number = 1; number < 3; ++number) {
        const report::ExpertsAtStep& layer = answer.steps[number].layers.back();
        EXPECT_EQ(layer.layer, 1U);
        EXPECT_EQ(layer.figures.copied, 0U);
        EXPECT_DOUBLE_EQ(layer.figures.before.mean, answer.steps[0].layers[1].figures.after.mean);
    }
}

TEST(ExpertsSteps, ALayerWithoutLoadsAtAStepIsLeftOut) {
    const report::ExpertsSteps answer = answer_experts_steps(three_steps());
    EXPECT_EQ(answer.steps[1].layers.size(), 2U);
    ASSERT_EQ(answer.steps[2].layers.size(), 1U);
    EXPECT_EQ(answer.steps[2].layers[0].layer, 1U);
}

TEST(ExpertsSteps, KeptIsTheLevelOfTheFirstPlacementAtEveryStep) {
    const report::ExpertsSteps answer = answer_experts_steps(three_steps());
    EXPECT_DOUBLE_EQ(answer.steps[0].layers[0].kept, answer.steps[0].layers[0].figures.before.mean);
    // Trivial: slots hold 0 1 2, 3 4 5, 6 7 0, 1 2 3. In layer 0 the last GPU but one carries
    // 10 + 90 + 5 of 160.
    EXPECT_DOUBLE_EQ(answer.steps[1].layers[0].kept, 105.0 / 40);
    // From nothing, it is what the first step made.
    ExpertsRequest request = three_steps();
    request.placement.clear();
    const report::ExpertsSteps made = answer_experts_steps(request);
    EXPECT_EQ(made.steps[0].layers[0].figures.before.mean, 0);
    EXPECT_DOUBLE_EQ(made.steps[0].layers[0].kept, made.steps[0].layers[0].figures.after.mean);
    EXPECT_EQ(made.steps[0].layers[0].figures.copied, 0U);
    EXPECT_TRUE(made.steps[0].transfers.empty());
    EXPECT_DOUBLE_EQ(made.steps[1].layers[0].kept, made.steps[1].layers[0].figures.before.mean);
}

TEST(ExpertsSteps, AreTheSameForAnyNumberOfThreads) {
    ExpertsRequest request = three_steps();
    const std::string one = report::experts_json(answer_experts_steps(request));
    request.threads = 4;
    EXPECT_EQ(report::experts_json(answer_experts_steps(request)), one);
}

TEST(ExpertsSteps, OneStepIsPlannedLikeOneSetOfLoads) {
    ExpertsRequest request = three_steps();
    request.texts["loads"] = "[[90,10,10,10,10,10,10,10],[50,40,30,20,10,10,10,10]]";
    const report::ExpertsSteps steps = answer_experts_steps(request);
    const ExpertsAnswer answer = answer_experts(request);
    EXPECT_EQ(report::experts_json(steps), report::experts_json(report::as_one_step(answer)));
    EXPECT_EQ(steps.planned.slots, answer.planned.slots);
}

TEST(ExpertsSteps, StopAsOnePlanDoesAndTellHowManyLayersArePlanned) {
    std::stop_source source;
    ExpertsControl control;
    control.stop = source.get_token();
    std::uint64_t last = 0;
    control.progress = [&](std::uint64_t done, std::uint64_t all) {
        EXPECT_EQ(all, 6U);
        EXPECT_EQ(done, last + 1);
        last = done;
    };
    static_cast<void>(answer_experts_steps(three_steps(), control));
    EXPECT_EQ(last, 6U);
    source.request_stop();
    EXPECT_THROW(static_cast<void>(answer_experts_steps(three_steps(), control)), InputError);
}

}  // namespace
}  // namespace equipoise::catalogue
