#include "equipoise/report/answers/experts.hpp"

#include <string>

#include <gtest/gtest.h>

namespace equipoise::report {
namespace {

/// A layer on 2 GPUs whose loads sum to 20.
ExpertsLayer layer_of(std::uint64_t number, Tokens before, Tokens after, std::uint64_t copied) {
    ExpertsLayer layer;
    layer.number = number;
    layer.planned = true;
    layer.total = 20;
    layer.plan.before.largest = before;
    layer.plan.after.largest = after;
    layer.plan.after.copied = copied;
    layer.plan.largest.at_least = 10;
    layer.plan.limit = 11;
    layer.plan.copied.at_least = 1;
    return layer;
}

/// Layer 0 has no loads; layers 3 and 7 were planned, 7 beyond the bound.
ExpertsAnswer two_layers() {
    ExpertsAnswer answer;
    answer.loads = "loads.json";
    answer.placement = "now.json";
    answer.experts = 4;
    answer.machines = {.gpus = 2, .slots = 3, .hosts = 2, .groups = 0};
    answer.bound = 1.1;
    answer.layers.resize(1);
    answer.layers.push_back(layer_of(3, 14, 10, 1));
    answer.layers.push_back(layer_of(7, 16, 12, 2));
    answer.layers[1].plan.transfers = {{{0, 2, 0, 1}}, 1, 1, ""};
    answer.layers[2].plan.transfers = {{{0, 1, 1, 0}, {1, 3, 1, 0}}, 2, 2, ""};
    answer.layers[2].plan.before.twice = 1;
    return answer;
}

TEST(ExpertsAnswers, FiguresAreMeansAndWorstsOverTheLayersThatArePlanned) {
    const ExpertsAnswer answer = two_layers();
    const ExpertsFigures figures = experts_figures(answer.layers, answer.machines);
    EXPECT_EQ(figures.layers, 2U);
    EXPECT_EQ(figures.within, 1U);
    EXPECT_FALSE(answer.reached());
    EXPECT_DOUBLE_EQ(figures.before.mean, 1.5);
    EXPECT_DOUBLE_EQ(figures.before.worst, 1.6);
    EXPECT_EQ(figures.before.layer, 7U);
    EXPECT_DOUBLE_EQ(figures.after.mean, 1.1);
    EXPECT_DOUBLE_EQ(figures.at_least.worst, 1.0);
    EXPECT_EQ(figures.at_least.layer, 3U);
    EXPECT_EQ(figures.slots, 12U);
    EXPECT_EQ(figures.copied, 3U);
    EXPECT_EQ(figures.copied_at_least, 2U);
    EXPECT_EQ(figures.waves, 3U);
    EXPECT_EQ(figures.across_hosts, 3U);
    EXPECT_EQ(figures.twice, 1U);
}

TEST(ExpertsAnswers, TextSaysWhatIsCertain) {
    const std::string text = experts_text(two_layers(), {"next.json", "copies.csv"}, true);
    EXPECT_EQ(text,
              "loads.json: 2 layers of 4 experts on 2 GPUs of 3 slots, on 2 hosts\n"
              "\n"
              "largest GPU over       mean over  worst     its\n"
              "the mean of all GPUs      layers  layer  number\n"
              "---------------------  ---------  -----  ------\n"
              "before                     1.500  1.600       7\n"
              "after                      1.100  1.200       7\n"
              "no placement is below      1.000  1.000       3\n"
              "\n"
              "  bound      1.1 times the best possible: kept by 1 of 2 layers for certain\n"
              "  copied     3 experts for 12 slots (25.0 %)\n"
              "             (every placement as level has at least 2)\n"
              "  waves      3, layer after layer  (no way there has fewer)\n"
              "  across     3 transfers between hosts\n"
              "  twice      1 slot held an expert that the same GPU had in another one\n"
              "  no loads   1 layer (0), which keeps what is there\n"
              "  placement  written to next.json (sglang)\n"
              "  transfers  written to copies.csv\n");
}

TEST(ExpertsAnswers, ExpertsThatAreNowhereAreSaidToComeFromStorage) {
    ExpertsAnswer answer = two_layers();
    EXPECT_EQ(experts_text(answer, {}, true).find("missing"), std::string::npos);
    answer.layers[2].plan.before.missing = 3;
    EXPECT_NE(experts_text(answer, {}, true)
                  .find("  missing    3 experts were in no slot: copied from storage, in no wave, "
                        "and\n             left out of the levels before\n"),
              std::string::npos);
    EXPECT_NE(experts_json(answer).find("\"missing\": 3"), std::string::npos);
}

TEST(ExpertsAnswers, CsvHasALineForEachLayerOrTransfer) {
    const ExpertsAnswer answer = two_layers();
    EXPECT_EQ(experts_csv(answer),
              "layer,before,after,at_least,within,copied,copied_at_least,waves,waves_at_least,"
              "across_hosts\n3,1.4,1,1,yes,1,1,1,1,1\n7,1.6,1.2,1,no,2,1,2,2,2\n");
    EXPECT_EQ(transfers_csv(answer),
              "layer,wave,expert,from,to\n3,0,2,0,1\n7,0,1,1,0\n7,1,3,1,0\n");
}

TEST(ExpertsAnswers, WithoutAPresentPlacementNothingIsSaidOfIt) {
    ExpertsAnswer answer = two_layers();
    answer.placement.clear();
    const std::string text = experts_text(answer, {}, true);
    EXPECT_EQ(text.find("before"), std::string::npos);
    EXPECT_NE(text.find("copied     no present placement: all slots are filled\n"),
              std::string::npos);
    EXPECT_NE(experts_json(answer).find("\"before\": null"), std::string::npos);
    EXPECT_NE(experts_csv(answer).find("\n3,,1,1,yes"), std::string::npos);
}

TEST(ExpertsAnswers, ALoadOfTheMeanIsOneTimesTheMean) {
    const Tokens total = Tokens{1} << 50U;
    EXPECT_GE(over_mean(total / 3 + 1, total, 3), 1.0);
    EXPECT_LT(over_mean(total / 3, total, 3), 1.0);
    EXPECT_EQ(over_mean(3, 9, 3), 1.0);
}

}  // namespace
}  // namespace equipoise::report
