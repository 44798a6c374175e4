#include "equipoise/report/runs/steps.hpp"

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

namespace equipoise::report {
namespace {

model::Record two_steps() {
    model::Record record;
    record.level = model::RecordLevel::full;
    record.node_count = 3;
    record.initial_loads = {4, 0, 0};
    record.costs.steps = 4;
    record.transfers = {{0, 0, 1, 2}, {3, 1, 2, 1}, {3, 0, 1, 1}};
    return record;
}

TEST(Trace, ShowsLoadsAfterEveryStepWithMovesAndTheMoves) {
    const std::string expected =
        "after step  0  1  2  moves\n"
        "----------  -  -  -  --------\n"
        "         0  4  0  0\n"
        "         1  2  2  0  0>1 2\n"
        "         4  1  2  1  1>2, 0>1\n";
    EXPECT_EQ(trace_text(two_steps()), expected);
}

TEST(Trace, ShowsTokensThatArriveAndAreConsumed) {
    model::Record record = two_steps();
    record.created = {{1, 0, 2, 1}, {3, 0, 0, 2}};
    record.destroyed = {{3, 1, 0, 1}};
    const std::string expected =
        "after step  0  1  2  moves\n"
        "----------  -  -  -  --------------------------------\n"
        "         0  4  0  0\n"
        "         1  2  2  0  0>1 2\n"
        "         2  2  2  1  outside>2\n"
        "         4  3  1  2  outside>0 2, 1>2, 0>1, 1>outside\n";
    EXPECT_EQ(trace_text(record), expected);
}

TEST(Trace, SaysHowManyRowsItLeavesOut) {
    const std::string text = trace_text(two_steps(), 1);
    EXPECT_NE(text.find("... and 1 more steps with moves"), std::string::npos) << text;
}

TEST(Trace, RefusesRecordsThatAreNotFullOrTooWide) {
    model::Record record = two_steps();
    record.level = model::RecordLevel::sampled;
    EXPECT_THROW((void)trace_text(record), UnsuitableError);
    record = two_steps();
    record.node_count = traced_nodes_max + 1;
    EXPECT_THROW((void)trace_text(record), UnsuitableError);
}

}  // namespace
}  // namespace equipoise::report
