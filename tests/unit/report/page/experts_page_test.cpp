#include "equipoise/report/page/experts_page.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace equipoise::report {
namespace {

using nlohmann::json;

ExpertsSteps answer_of(std::uint64_t steps, std::uint64_t layers) {
    ExpertsSteps answer;
    answer.loads = "a<b>.json";
    answer.experts = 8;
    answer.machines = {2, 5, 1, 0};
    for (std::uint64_t number = 0; number < steps; ++number) {
        ExpertsStep step;
        step.number = number;
        for (std::uint64_t layer = 0; layer < layers; ++layer) {
            ExpertsAtStep one;
            one.layer = layer;
            one.kept = 1.9;
            one.figures.layers = one.figures.within = 1;
            one.figures.before = {1.5, 1.5, layer};
            one.figures.after = {1.04, 1.04, layer};
            one.figures.at_least = {1, 1, layer};
            one.figures.slots = 10;
            one.figures.copied = 3;
            step.layers.push_back(one);
        }
        answer.steps.push_back(step);
    }
    return answer;
}

/// The data in a page, which stands in one script element.
json data_of(const ExpertsSteps& answer) {
    const std::string page = experts_page(answer);
    const std::string begin = "<script type=\"application/json\" id=\"data\">";
    const std::size_t from = page.find(begin) + begin.size();
    return json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(ExpertsPage, HoldsTheLayersOfEveryStep) {
    const json data = data_of(answer_of(3, 2));
    ASSERT_EQ(data["steps"].size(), 3U);
    EXPECT_EQ(data["steps"][2]["layer"], json::parse("[0,1]"));
    EXPECT_EQ(data["steps"][2]["before"], json::parse("[1.5,1.5]"));
    EXPECT_EQ(data["steps"][2]["after"], json::parse("[1.04,1.04]"));
    EXPECT_EQ(data["steps"][2]["copied"], json::parse("[3,3]"));
    EXPECT_EQ(data["reached"], true);
    EXPECT_EQ(data["layers_note"], "");
}

TEST(ExpertsPage, DrawsStepsIfThereAreSeveralAndElseLayers) {
    const json steps = data_of(answer_of(3, 2))["picture"];
    EXPECT_NE(steps["wide"].get<std::string>().find(">worst layer</text>"), std::string::npos);
    EXPECT_NE(steps["wide"].get<std::string>().find(">had all stayed</text>"), std::string::npos);
    const json layers = data_of(answer_of(1, 4))["picture"];
    EXPECT_EQ(layers["title"], "Layer by layer");
    EXPECT_EQ(layers["wide"].get<std::string>().find(">worst layer</text>"), std::string::npos);
    EXPECT_NE(layers["narrow"].get<std::string>().find(">layer</text>"), std::string::npos);
    EXPECT_NO_THROW(static_cast<void>(data_of(answer_of(1, 0))));
}

TEST(ExpertsPage, ListsLayersOfAsManyStepsAsItHasRoomForAndSaysSo) {
    const json data = data_of(answer_of(300, 500));
    EXPECT_EQ(data["steps"].size(), 200U);
    EXPECT_EQ(data["layers_note"], "Layers are listed for the first 200 of 300 steps.");
}

TEST(ExpertsPage, EscapesNamesOfFiles) {
    const std::string page = experts_page(answer_of(1, 1));
    EXPECT_NE(page.find("<h1>a&lt;b&gt;.json: "), std::string::npos);
    EXPECT_EQ(page.find("a<b>"), std::string::npos);
}

TEST(ExpertsPage, OfOnePlanTellsWhyTheWorstLayerIsNoBetter) {
    ExpertsAnswer answer;
    answer.loads = "loads.json";
    answer.machines = {2, 5, 1, 0};
    for (const Tokens largest : {6, 9}) {
        ExpertsLayer layer;
        layer.number = static_cast<std::uint64_t>(largest);
        layer.planned = true;
        layer.total = 10;
        layer.plan.after.largest = largest;
        layer.plan.largest.at_least = 5;
        layer.plan.largest.reason = "half of all";
        answer.layers.push_back(layer);
    }
    const json data = data_of(as_one_step(answer));
    EXPECT_EQ(data["proofs"], json::parse(R"(["Layer 9: half of all"])"));
    EXPECT_EQ(experts_page(answer), experts_page(as_one_step(answer)));
}

}  // namespace
}  // namespace equipoise::report
