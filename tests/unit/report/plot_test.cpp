#include "equipoise/report/plot.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

namespace equipoise::report {
namespace {

model::Record record_of(const std::string& algorithm, Tokens begin, Tokens end) {
    model::Record record;
    record.algorithm = algorithm;
    record.labels.origin = "net/a<b.gml";
    record.node_count = 2;
    record.initial_loads = {begin, 0};
    record.initial_discrepancy = begin;
    record.final_discrepancy = end;
    record.costs.steps = 100;
    record.reached = true;
    record.samples = {{0, begin, "0", {}}, {10, end + 1, "0", {}}, {100, end, "0", {}}};
    return record;
}

std::string plot_of(const model::Record& record) {
    return plot_svg(std::vector<model::Record>{record});
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

TEST(Plot, DrawsACurveAndAnEndForEveryRun) {
    const std::vector<model::Record> records = {record_of("threshold-2", 1000, 10),
                                                record_of("diffusion", 1000, 0)};
    const std::string svg = plot_svg(records);
    EXPECT_EQ(count_of(svg, "<polyline"), 2U);
    EXPECT_EQ(count_of(svg, "<circle"), 2U);
    EXPECT_EQ(count_of(svg, ">threshold-2<"), 1U);
    EXPECT_EQ(count_of(svg, "stroke-dasharray"), 0U);
    EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
}

TEST(Plot, GivesEveryDecadeTheSameRoomAndZeroAPlace) {
    // The axes go from 0 over 1 and 10 to 100 steps, and over 1, 10 and 100 to 1,000 tokens.
    // The frame: 84 to 856 from left to right, 56 to 496 from top to bottom.
    EXPECT_NE(plot_of(record_of("a", 1000, 0))
                  .find("points=\"84.0,56.0 598.7,386.0 856.0,496.0 856.0,496.0\""),
              std::string::npos);
}

TEST(Plot, GivesEveryModelAPanelWithStepsOfItsOwn) {
    std::vector<model::Record> records = {record_of("a", 1000, 10), record_of("b", 1000, 10),
                                          record_of("c", 1000, 10)};
    records[0].model = records[2].model = "single-port";
    records[1].model = "asynchronous";
    records[1].costs.steps = 100'000;
    const std::string svg = plot_svg(records);
    EXPECT_EQ(count_of(svg, ">single-port steps<"), 1U);
    EXPECT_EQ(count_of(svg, ">asynchronous steps<"), 1U);
    EXPECT_EQ(count_of(svg, "<polyline"), 3U);
    // The panels lie one below the other, and only one of them goes to 100,000 steps.
    EXPECT_EQ(count_of(svg, "text-anchor=\"middle\">100,000<"), 1U);
    EXPECT_EQ(count_of(svg, "<circle cx=\"856.0\""), 3U);
}

TEST(Plot, DrawsPromisesDashedAndUnreachedEndsHollow) {
    model::Record record = record_of("a", 1000, 10);
    record.guarantee = {20, {}, "a theorem"};
    record.reached = false;
    const std::string svg = plot_of(record);
    EXPECT_EQ(count_of(svg, "stroke-dasharray"), 1U);
    EXPECT_EQ(count_of(svg, "fill=\"#fff\" stroke=\"#0072b2\""), 1U);
}

TEST(Plot, CountsFixedPointRunsInTokens) {
    model::Record record = record_of("a", 256'000, 2560);
    record.load_scale = 256;
    record.samples[1].discrepancy = Tokens{256} * 11;
    EXPECT_EQ(plot_of(record), plot_of(record_of("a", 1000, 10)));
}

TEST(Plot, EscapesWhatComesFromRecords) {
    const std::string svg = plot_of(record_of("a", 1000, 0));
    EXPECT_EQ(svg.find("a<b"), std::string::npos);
    EXPECT_NE(svg.find("a&lt;b.gml"), std::string::npos);
}

TEST(Plot, NeedsRecordsWithSamples) {
    EXPECT_THROW(static_cast<void>(plot_svg({})), InputError);
    model::Record record = record_of("a", 1000, 0);
    record.samples.clear();
    EXPECT_THROW(static_cast<void>(plot_of(record)), InputError);
}

}  // namespace
}  // namespace equipoise::report
