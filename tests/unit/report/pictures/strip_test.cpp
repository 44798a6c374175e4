#include "equipoise/report/pictures/strip.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/report/pictures/network_panels.hpp"
#include "tests/unit/report/count_of.hpp"

namespace equipoise::report {
namespace {

/// A path of three nodes; a token goes 0>1 in step 2, and two go 1>2 in step 4.
model::Record three_nodes() {
    model::Record record;
    record.algorithm = "rule";
    record.level = model::RecordLevel::full;
    record.labels.origin = "three.edges";
    record.node_count = 3;
    record.links = {{0, 1}, {1, 2}};
    record.link_count = 2;
    record.network_digest = network::digest(network::Network(3, record.links));
    record.initial_loads = {5, 3, 0};
    record.final_loads = {4, 2, 2};
    record.transfers = {{1, 0, 1, 1}, {3, 1, 2, 2}};
    record.costs.steps = 6;
    return record;
}

std::string refusal(std::string_view text, const model::Record& record) {
    try {
        static_cast<void>(steps_from_text(text, record));
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Strip, StepsAreRangesAndListsOrThoseInWhichTokensMove) {
    const model::Record record = three_nodes();
    EXPECT_EQ(steps_from_text("2..4", record), (std::vector<Step>{2, 3, 4}));
    EXPECT_EQ(steps_from_text("4,1", record), (std::vector<Step>{1, 4}));
    EXPECT_EQ(steps_from_text("5..6,1", record), (std::vector<Step>{1, 5, 6}));
    EXPECT_EQ(steps_from_text("5..6, 1", record), (std::vector<Step>{1, 5, 6}));
    EXPECT_EQ(steps_from_text("moves", record), (std::vector<Step>{2, 4}));
}

TEST(Strip, RefusesStepsThatWereNotTaken) {
    const model::Record record = three_nodes();
    for (const char* text : {"0", "7", "2..7", "", "1,", "x", "1..x"})
        EXPECT_NE(refusal(text, record).find("--steps: expected steps from 1 to 6"),
                  std::string::npos)
            << text;
    EXPECT_NE(refusal("4..2", record), "");
}

TEST(Strip, NeedsEveryMoveOfASmallNetwork) {
    model::Record record = three_nodes();
    record.level = model::RecordLevel::sampled;
    EXPECT_NE(refusal("1", record).find("full"), std::string::npos);
    record = three_nodes();
    record.node_count = panel_nodes_max + 1;
    EXPECT_NE(refusal("1", record).find("at most 60 nodes"), std::string::npos);
}

TEST(Strip, DrawsNoMovesThatDoNotAddUp) {
    model::Record record = three_nodes();
    record.final_loads = {4, 3, 1};
    EXPECT_THROW(static_cast<void>(strip_svg(record, std::vector<Step>{1})), InputError);
}

TEST(Strip, DrawsAtMostAFewSteps) {
    model::Record record = three_nodes();
    record.costs.steps = 1'000'000'000;
    EXPECT_NE(refusal("1..1000000000", record).find("at most 60 steps"), std::string::npos);
}

TEST(Strip, ShowsLoadsBeforeEachStepAndAfterTheLast) {
    const std::string svg = strip_svg(three_nodes(), std::vector<Step>{2, 4});
    EXPECT_EQ(count_of(svg, ">step 2<"), 1U);
    EXPECT_EQ(count_of(svg, ">step 4<"), 1U);
    EXPECT_EQ(count_of(svg, ">after step 4<"), 1U);
    EXPECT_EQ(count_of(svg, "<circle"), 9U);
    EXPECT_EQ(count_of(svg, ">5</text>"), 1U);       // node 0 before step 2
    EXPECT_EQ(count_of(svg, ">0</text>"), 2U + 1U);  // node 2 before steps 2 and 4; its name
}

TEST(Strip, DrawsAnArrowWithItsTokensForEachTransfer) {
    const std::string svg = strip_svg(three_nodes(), std::vector<Step>{2, 3, 4});
    EXPECT_EQ(count_of(svg, "<polygon"), 2U);
}

TEST(Strip, LinksOfAGivenScheduleAreDrawnThickerWhenTheyAreActive) {
    model::Record record = three_nodes();
    record.matchings = {{{0, 1}}, {{1, 2}}};
    const std::string thick = "stroke-width=\"2.6\"";
    EXPECT_EQ(count_of(strip_svg(record, std::vector<Step>{1, 2}), thick), 2U);
    record.matchings.clear();
    EXPECT_EQ(count_of(strip_svg(record, std::vector<Step>{1, 2}), thick), 0U);
}

TEST(Strip, DrawsMessagesWithoutTokensDashedInTheStepInWhichTheyArrive) {
    model::Record record = three_nodes();
    record.asynchrony.emplace();
    record.asynchrony->kinds = {"local", "token"};
    // Both start; messages arrive in steps 1 and 3, and with the tokens in 2 and 4.
    record.asynchrony->deliveries = {{0, 0, 0, 0, 0, 0}, {0, 0, 2, 2, 0, 0}, {0, 3, 2, 1, 0, 0},
                                     {3, 5, 0, 1, 1, 1}, {5, 6, 1, 2, 0, 0}, {6, 9, 1, 2, 1, 2}};
    const std::vector<Step> steps = {1, 2, 3, 4};
    const std::string dashed = "stroke-dasharray";
    EXPECT_EQ(count_of(strip_svg(record, steps), dashed), 0U);
    const std::string svg = strip_svg(record, steps, {.messages = true});
    EXPECT_EQ(count_of(svg, dashed), 2U);
    EXPECT_EQ(count_of(svg, "<polygon"), 4U);
    EXPECT_EQ(count_of(svg, ">step 1: local<"), 1U);
    EXPECT_EQ(count_of(svg, ">step 2<"), 1U);
    EXPECT_EQ(count_of(svg, ">step 3: local<"), 1U);
}

TEST(Strip, MessagesMustBeInTheRecord) {
    model::Record record = three_nodes();
    EXPECT_THROW(static_cast<void>(strip_svg(record, std::vector<Step>{1}, {.messages = true})),
                 InputError);
    record.asynchrony.emplace();
    EXPECT_THROW(static_cast<void>(strip_svg(record, std::vector<Step>{1}, {.messages = true})),
                 InputError);
}

TEST(Strip, WhatComesFromOutsideIsWritten) {
    model::Record record = three_nodes();
    record.created = {{0, 0, 2, 3}};
    record.final_loads = {4, 2, 5};
    EXPECT_EQ(count_of(strip_svg(record, std::vector<Step>{1}), ">+3<"), 1U);
}

}  // namespace
}  // namespace equipoise::report
