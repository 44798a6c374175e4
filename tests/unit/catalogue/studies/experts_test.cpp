#include "equipoise/catalogue/studies/experts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/adapters/experts/yaml.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/replication/transfers.hpp"

namespace equipoise::catalogue {
namespace {

using replication::ItemId;
using Rows = std::vector<std::vector<ItemId>>;
using Numbers = std::vector<std::uint64_t>;

/// Loads of 2 layers of 4 experts behind one that has none, on 2 GPUs of 3 slots.
ExpertsRequest three_layers() {
    ExpertsRequest request;
    request.loads = "loads";
    request.texts["loads"] =
        R"({"logical_count": [[0, 0, 0, 0], [60, 20, 10, 10], [10, 10, 20, 60]]})";
    request.gpus = 2;
    request.slots = 3;
    return request;
}

ExpertsRequest with_placement(ExpertsRequest request, const std::string& text) {
    request.placement = "placement";
    request.texts["placement"] = text;
    return request;
}

std::string error_of(const ExpertsRequest& request) {
    try {
        static_cast<void>(answer_experts(request));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

/// The largest GPU over the mean, from loads as they were measured.
double largest_of(const std::vector<double>& loads, const std::vector<ItemId>& slots,
                  std::size_t gpus) {
    std::vector<double> copies(loads.size(), 0);
    for (const ItemId expert : slots)
        ++copies[expert];
    std::vector<double> held(gpus, 0);
    double total = 0;
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
        held[slot / (slots.size() / gpus)] += loads[slots[slot]] / copies[slots[slot]];
    for (const double load : loads)
        total += load;
    return *std::max_element(held.begin(), held.end()) * static_cast<double>(gpus) / total;
}

TEST(ExpertsStudy, LayersWithoutLoadsKeepWhatTheyHoldOrGetTheTrivialPlacement) {
    const ExpertsAnswer fresh = answer_experts(three_layers());
    ASSERT_EQ(fresh.layers.size(), 3U);
    EXPECT_FALSE(fresh.layers[0].planned);
    EXPECT_TRUE(fresh.layers[1].planned);
    EXPECT_EQ(fresh.planned.slots[0], std::vector<ItemId>({0, 1, 2, 3, 0, 1}));
    EXPECT_EQ(fresh.planned.dense, std::vector<bool>({true, false, false}));
    EXPECT_TRUE(fresh.reached());
    const ExpertsAnswer next = answer_experts(with_placement(
        three_layers(), R"({"physical_to_logical_map": [[3, 2, 1, 0, 3, 2], [0, 1, 2, 3, 0, 1],
                                                        [0, 1, 2, 3, 0, 1]]})"));
    EXPECT_EQ(next.planned.slots[0], std::vector<ItemId>({3, 2, 1, 0, 3, 2}));
}

TEST(ExpertsStudy, ThePlannedSlotsReachTheLevelThatIsReportedByTheReportedTransfers) {
    RandomStream random(7, Purpose::sampling);
    for (std::uint64_t round = 0; round < 10; ++round) {
        ExpertsRequest request;
        request.loads = "loads";
        request.gpus = 4;
        request.slots = 5;
        request.hosts = 2;
        request.groups = round % 2 == 0 ? 0 : 4;
        request.placement = "trivial";
        std::string text = "[";
        for (int layer = 0; layer < 3; ++layer) {
            text += layer == 0 ? "[" : ", [";
            for (std::uint64_t expert = 0; expert < 16; ++expert)
                text += (expert == 0 ? "" : ", ") + std::to_string(1000 / (1 + random.below(40)));
            text += "]";
        }
        request.texts["loads"] = text + "]";
        const ExpertsInput input = read_experts(request);
        const ExpertsAnswer answer = answer_experts(request);
        for (std::size_t layer = 0; layer < 3; ++layer) {
            const std::vector<double>& loads = input.loads.steps[0][layer];
            const report::ExpertsFigures figures =
                report::experts_figures({&answer.layers[layer], 1}, answer.machines);
            EXPECT_NEAR(figures.after.mean, largest_of(loads, answer.planned.slots[layer], 4),
                        1e-9);
            EXPECT_NEAR(figures.before.mean, largest_of(loads, input.present[layer], 4), 1e-9);
            replication::Problem problem;
            problem.loads = experts::in_small_units(loads);
            problem.machines = 4;
            problem.slots = 5;
            problem.hosts = 2;
            problem.groups = input.machines.groups;
            problem.placement = input.present[layer];
            EXPECT_TRUE(replication::stand(problem, answer.planned.slots[layer]).allowed);
            EXPECT_EQ(replication::fault_of(problem, answer.planned.slots[layer],
                                            answer.layers[layer].plan.transfers, 1),
                      "");
        }
    }
}

TEST(ExpertsStudy, ThePlanIsTheSameForAnyNumberOfThreads) {
    ExpertsRequest request = three_layers();
    request.threads = 1;
    const ExpertsAnswer one = answer_experts(request);
    request.threads = 7;
    std::vector<std::uint64_t> told;
    ExpertsControl control;
    control.progress = [&](std::uint64_t done, std::uint64_t all) {
        EXPECT_EQ(all, 3U);
        told.push_back(done);
    };
    EXPECT_EQ(answer_experts(request, control).planned.slots, one.planned.slots);
    EXPECT_EQ(told, Numbers({1, 2, 3}));
}

TEST(ExpertsStudy, HostsWithoutGroupsChangeNoPlacement) {
    ExpertsRequest request = three_layers();
    request.texts["loads"] = "[[99, 50, 33, 25, 20, 16, 14, 12, 11, 10, 9, 8, 7, 7, 6, 6]]";
    request.placement = "trivial";
    request.gpus = 4;
    request.slots = 5;
    const ExpertsAnswer one = answer_experts(request);
    request.hosts = 2;
    const ExpertsAnswer two = answer_experts(request);
    EXPECT_EQ(two.planned.slots, one.planned.slots);
    EXPECT_GT(report::experts_figures(two.layers, two.machines).across_hosts, 0U);
    EXPECT_EQ(report::experts_figures(one.layers, one.machines).across_hosts, 0U);
}

TEST(ExpertsStudy, StepsAreAddedUp) {
    ExpertsRequest steps = three_layers();
    steps.texts["loads"] = "[[[1, 2, 3, 40]], [[5, 1, 1, 1]]]";
    ExpertsRequest sums = three_layers();
    sums.texts["loads"] = "[[6, 3, 4, 41]]";
    const ExpertsAnswer answer = answer_experts(steps);
    EXPECT_EQ(answer.planned.slots, answer_experts(sums).planned.slots);
    EXPECT_EQ(answer.notes, std::vector<std::string>({"the 2 steps of loads are added up"}));
}

TEST(ExpertsStudy, ARowForAllLayersIsTakenForEach) {
    const ExpertsInput input = read_experts(with_placement(three_layers(), "[0, 1, 2, 3, 1, 0]"));
    EXPECT_EQ(input.present, Rows(3, {0, 1, 2, 3, 1, 0}));
}

TEST(ExpertsStudy, RowsOfVllmAreThoseOfTheLayersThatHaveExperts) {
    const ExpertsInput input =
        read_experts(with_placement(three_layers(), "[[0, 1, 2, 3, 1, 0], [3, 1, 2, 0, 1, 3]]"));
    EXPECT_EQ(input.present, Rows({{}, {0, 1, 2, 3, 1, 0}, {3, 1, 2, 0, 1, 3}}));
    EXPECT_EQ(input.planned.layers, Numbers({0, 1, 2}));
    EXPECT_EQ(input.planned.form, experts::Form::vllm_map);
}

TEST(ExpertsStudy, ALayerThatHasARowOfVllmKeepsItWithoutLoads) {
    for (const char* const rows :
         {"[[3, 2, 1, 0, 3, 2], [0, 1, 2, 3, 1, 0], [3, 1, 2, 0, 1, 3]]",
          R"({"initial_global_assignments": {"0": [3, 2, 1, 0, 3, 2], "1": [0, 1, 2, 3, 1, 0], )"
          R"("2": [3, 1, 2, 0, 1, 3]}})"}) {
        const ExpertsAnswer answer = answer_experts(with_placement(three_layers(), rows));
        const experts::Placement written = experts::read_placement(
            experts::placement_text(answer.planned, answer.planned.form), "written");
        EXPECT_EQ(written.slots, answer.planned.slots);
        EXPECT_EQ(written.slots.at(0), std::vector<ItemId>({3, 2, 1, 0, 3, 2}));
    }
}

TEST(ExpertsStudy, NumbersOfTensorRtAreThoseOfTheModel) {
    if (!experts::has_yaml()) GTEST_SKIP() << "built without yaml-cpp";
    const std::string yaml =
        "initial_global_assignments:\n  1: [0, 1, 2, 3, 1, 0]\n  2: [3, 1, 2, 0, 1, 3]\n";
    const ExpertsInput input = read_experts(with_placement(three_layers(), yaml));
    EXPECT_EQ(input.present, Rows({{}, {0, 1, 2, 3, 1, 0}, {3, 1, 2, 0, 1, 3}}));
    // Loads of vLLM do not say which layers of the model they are; the placement does.
    ExpertsRequest request = with_placement(three_layers(), yaml);
    request.texts["loads"] =
        R"({"record_type": "eplb_load_stats", "expert_load": [[6, 2, 1, 1], [1, 1, 2, 6]], )"
        R"("p2l_map": [[0, 1, 2, 3], [0, 1, 2, 3]]})"
        "\n";
    const ExpertsInput met = read_experts(request);
    EXPECT_EQ(met.present, Rows({{0, 1, 2, 3, 1, 0}, {3, 1, 2, 0, 1, 3}}));
    EXPECT_EQ(met.planned.layers, Numbers({1, 2}));
    EXPECT_EQ(met.planned.numbering, experts::Numbering::of_model);
    EXPECT_TRUE(met.notes.empty());
}

TEST(ExpertsStudy, LayersThatATableLeavesOutKeepTheRowsOfAFile) {
    ExpertsRequest request = three_layers();
    request.texts["loads"] =
        "layer,expert,load\n1,0,6\n1,1,2\n1,2,1\n1,3,1\n3,0,1\n3,1,1\n3,2,2\n3,3,6\n";
    const ExpertsAnswer first = answer_experts(request);
    const ExpertsAnswer again = answer_experts(
        with_placement(request, experts::placement_text(first.planned, first.planned.form)));
    EXPECT_EQ(again.planned.layers, Numbers({0, 1, 2, 3}));
    EXPECT_EQ(again.planned.slots[1], first.planned.slots[0]);
    EXPECT_EQ(again.planned.slots[3], first.planned.slots[1]);
    const ExpertsRequest other = with_placement(
        request, R"({"physical_to_logical_map": [[3, 2, 1, 0, 3, 2], [0, 1, 2, 3, 0, 1],
                                                 [2, 1, 0, 3, 2, 1], [0, 1, 2, 3, 0, 1]]})");
    const ExpertsAnswer kept = answer_experts(other);
    EXPECT_EQ(kept.planned.slots[0], std::vector<ItemId>({3, 2, 1, 0, 3, 2}));
    EXPECT_EQ(kept.planned.slots[2], std::vector<ItemId>({2, 1, 0, 3, 2, 1}));
    EXPECT_EQ(kept.planned.dense, std::vector<bool>({true, false, true, false}));
    ASSERT_EQ(kept.layers.size(), 4U);
    for (std::size_t layer = 0; layer < 4; ++layer) {
        EXPECT_EQ(kept.layers[layer].number, layer);
        EXPECT_EQ(kept.layers[layer].planned, layer % 2 == 1);
    }
    // A file with experts that are not there is refused in these layers, too.
    EXPECT_EQ(error_of(with_placement(
                  request, R"({"physical_to_logical_map": [[3, 2, 1, 0, 3, 4], [0, 1, 2, 3, 0, 1],
                                                 [2, 1, 0, 3, 2, 1], [0, 1, 2, 3, 0, 1]]})")),
              "placement: layer 0: expected experts from 0 to 3, as in loads, found 4");
}

TEST(ExpertsStudy, LayersThatOnlyVllmNumbersAreNotedInFormsThatNumberThoseOfTheModel) {
    ExpertsRequest request = three_layers();
    request.texts["loads"] =
        R"({"record_type": "eplb_load_stats", "expert_load": [[6, 2, 1, 1], [0, 0, 0, 0]], )"
        R"("p2l_map": [[0, 1, 2, 3], [0, 1, 2, 3]]})"
        "\n";
    request.format = "vllm";
    EXPECT_TRUE(read_experts(request).notes.empty());
    // A layer of vLLM's has experts, whether they had loads or not.
    EXPECT_EQ(read_experts(request).planned.dense, std::vector<bool>({false, false}));
    request.format = "tensorrt-llm";
    EXPECT_EQ(read_experts(request).notes,
              std::vector<std::string>({"layers are numbered from 0 in the order of those that "
                                        "have experts, since the files do not say which layers "
                                        "of the model these are"}));
}

TEST(ExpertsStudy, SlotsAreThoseOfThePlacementUnlessTheyAreGiven) {
    ExpertsRequest request = with_placement(three_layers(), "[0, 1, 2, 3, 1, 0, 2, 3]");
    request.slots = 0;
    EXPECT_EQ(read_experts(request).machines.slots, 4U);
    request.slots = 3;
    EXPECT_EQ(error_of(request), "placement: expected 6 slots in a layer (2 GPUs of 3), found 8");
}

TEST(ExpertsStudy, PlacementsOfOtherLayersOrExpertsAreRefused) {
    EXPECT_EQ(error_of(with_placement(three_layers(), "[[0, 1, 2, 3, 1, 0]]")),
              "placement: expected the 2 layers (1-2) that have loads, or all 3 layers, as in "
              "loads, found 1 layer (0)");
    EXPECT_EQ(error_of(with_placement(three_layers(),
                                      "{\"initial_global_assignments\": {\"5\": [0, 1, 2, 3, 1, "
                                      "0], \"6\": [0, 1, 2, 3, 1, 0]}}")),
              "placement: expected the 2 layers (1-2) that have loads, or all 3 layers, as in "
              "loads, found 2 layers (5-6)");
    ExpertsRequest two = three_layers();
    two.texts["loads"] = "[[6, 2, 1, 1], [1, 1, 2, 6]]";
    EXPECT_EQ(error_of(with_placement(two,
                                      "{\"initial_global_assignments\": {\"0\": [0, 1, 2, 3, 1, "
                                      "0], \"5\": [0, 1, 2, 3, 1, 0]}}")),
              "placement: expected 2 layers (0-1), as in loads, found 2 layers (0, 5)");
    EXPECT_EQ(error_of(with_placement(three_layers(), "[[0, 1, 2, 3, 1, 0], [3, 1, 2, 4, 1, 3]]")),
              "placement: layer 1: expected experts from 0 to 3, as in loads, found 4");
}

TEST(ExpertsStudy, NumbersOutOfRangeAreRefusedBeforeMemoryIsTaken) {
    const auto error_with = [](const std::function<void(ExpertsRequest&)>& change) {
        ExpertsRequest request = three_layers();
        change(request);
        return error_of(request);
    };
    EXPECT_EQ(error_with([](ExpertsRequest& request) { request.gpus = 0; }),
              "--gpus: expected the number of GPUs, found none");
    EXPECT_EQ(error_with([](ExpertsRequest& request) { request.gpus = 1U << 20U; }),
              "--gpus: expected a whole number from 1 to 65536, found 1048576");
    EXPECT_EQ(error_with([](ExpertsRequest& request) {
                  request.gpus = 1U << 16U;
                  request.slots = 100;
              }),
              "expected at most 4194304 slots in a layer and 268435456 in all layers, found "
              "6553600 in each of 3");
    EXPECT_EQ(error_with([](ExpertsRequest& request) {
                  request.texts["loads"] = "layer,expert,load\n65535,0,1\n65535,1,1\n";
                  request.gpus = 1U << 16U;
                  request.slots = 1;
              }),
              "expected at most 4194304 slots in a layer and 268435456 in all layers, found "
              "65536 in each of 65536");
    EXPECT_EQ(error_with([](ExpertsRequest& request) { request.texts["loads"] = "[[0, 0, 0]]"; }),
              "loads: expected a load above 0, found none");
    EXPECT_EQ(error_with([](ExpertsRequest& request) { request.at_most = "copies=x"; }),
              "--at-most: expected copies=N, how many experts may be copied in a layer, found "
              "\"copies=x\"");
    EXPECT_EQ(error_with([](ExpertsRequest& request) { request.at_most = "copies=3"; }),
              "--at-most: expected a present placement (--placement), found none");
    EXPECT_EQ(error_with([](ExpertsRequest& request) {
                  request.texts["loads"] = "[[[1e308, 1, 1]], [[1e308, 1, 1]]]";
              }),
              "expected loads with a finite sum over all steps, found larger ones");
}

TEST(ExpertsStudy, AtMostSoManyExpertsAreCopiedInALayer) {
    ExpertsRequest request = three_layers();
    request.placement = "trivial";
    request.bound = 1;
    request.at_most = "copies=1";
    for (const report::ExpertsLayer& layer : answer_experts(request).layers)
        EXPECT_LE(layer.plan.after.copied, 1U);
    request.at_most = "copies=0";
    const ExpertsAnswer none = answer_experts(request);
    EXPECT_EQ(none.planned.slots, Rows(3, {0, 1, 2, 3, 0, 1}));
    EXPECT_FALSE(none.reached());
}

TEST(ExpertsStudy, AnInterruptedPlanIsNone) {
    std::stop_source source;
    source.request_stop();
    ExpertsControl control;
    control.stop = source.get_token();
    EXPECT_THROW(static_cast<void>(answer_experts(three_layers(), control)), InputError);
}

TEST(ExpertsStudy, MeasuredLoadsOfADayAreWithinTheBoundAndCopyFewExperts) {
    const std::string folder = std::string(EQUIPOISE_SOURCE_DIR) + "/../shared/data/experts/";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no data at ../shared/data/experts";
    ExpertsRequest request;
    request.loads = folder + "decode_in1000out1000.json";
    request.gpus = 32;
    request.slots = 9;
    const ExpertsAnswer first = answer_experts(request);
    EXPECT_TRUE(first.reached());
    EXPECT_EQ(report::experts_figures(first.layers, first.machines).layers, 58U);
    ExpertsRequest next = request;
    next.loads = folder + "decode_in2000out100.json";
    next = with_placement(next, experts::placement_text(first.planned, experts::Form::sglang));
    const ExpertsAnswer second = answer_experts(next);
    EXPECT_TRUE(second.reached());
    const report::ExpertsFigures figures = report::experts_figures(second.layers, second.machines);
    EXPECT_EQ(figures.slots, 58U * 288U);
    EXPECT_GT(figures.before.mean, 1.2);
    EXPECT_LT(figures.copied, figures.slots / 10);
    EXPECT_LE(figures.copied_at_least, figures.copied);
}

}  // namespace
}  // namespace equipoise::catalogue
