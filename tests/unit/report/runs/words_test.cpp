#include "equipoise/report/runs/words.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/report/runs/compare.hpp"
#include "equipoise/report/runs/summary.hpp"

namespace equipoise::report {
namespace {

model::Record diffusion(const std::string& rounding) {
    model::Record record;
    record.algorithm = "diffusion";
    record.model = "multi-port";
    record.parameters = {{"idealised", "no"}, {"rounding", rounding}, {"weights", "auto"}};
    record.initial_loads = {4, 0};
    record.final_loads = {2, 2};
    record.stop = "own-termination+quiet:1";
    record.stopped_because = "quiet";
    record.reached = true;
    return record;
}

TEST(Endings, SayInHowManyStepsNoTokenMoved) {
    EXPECT_EQ(ending_text(diffusion("net")), "quiet  (no token moved in the last step)");
    EXPECT_EQ(ending_text("quiet", "quiet:1200", false, true),
              "quiet  (no token moved in the last 1,200 steps)");
    EXPECT_EQ(ending_text("quiet", "discrepancy:1+quiet:3+stable:4", false, true),
              "quiet  (no token moved in the last 3 steps)");
    EXPECT_EQ(ending_text("quiet", "", false, true), "quiet  (no token moved in the last steps)");
    EXPECT_EQ(ending_text("quiet", "own-termination", true, true),
              "quiet  (nothing is on the way any more)");
}

TEST(Endings, SayThatTheGoalWasNotReached) {
    EXPECT_EQ(ending_text("max-steps", "", false, false),
              "max-steps  (the limit on steps was reached; the goal was not reached)");
    EXPECT_EQ(ending_text("of-another-program", "", false, false),
              "of-another-program  (the goal was not reached)");
    EXPECT_EQ(ending_text("of-another-program", "", false, true), "of-another-program");
}

TEST(Promises, RestOnTheoremsOrOnTheFinalState) {
    EXPECT_EQ(promise_text("Theorem 5"), "Theorem 5");
    EXPECT_EQ(promise_text("the state it ends in: no node sends"),
              "follows from the final state: no node sends");
}

TEST(Names, LeaveOutParametersThatAreAsUsual) {
    const model::Record record = diffusion("down");
    EXPECT_EQ(name_with_parameters(record.algorithm, record.parameters),
              "diffusion idealised=no rounding=down weights=auto");
    EXPECT_EQ(name_with_parameters(
                  record.algorithm, record.parameters,
                  {{"idealised", "no"}, {"rounding", "net"}, {"weights", "auto"}, {"beta", "0"}}),
              "diffusion rounding=down");
}

TEST(Names, TellRunsOfOneAlgorithmApartByWhatDiffers) {
    const std::vector<model::Record> runs = {diffusion("net"), diffusion("down")};
    const std::string text = compare_text(runs);
    EXPECT_NE(text.find("\ndiffusion rounding=net "), std::string::npos) << text;
    EXPECT_NE(text.find("\ndiffusion rounding=down "), std::string::npos) << text;
    EXPECT_EQ(text.find("weights"), std::string::npos) << text;
    const std::vector<model::Record> alike = {diffusion("net"), diffusion("net")};
    EXPECT_EQ(compare_text(alike).find("rounding"), std::string::npos);
}

TEST(Texts, BreakRunningLinesButNoTable) {
    model::Record record = diffusion("net");
    record.guarantee = {3, {}, "Theorem 3, repaired"};
    const std::string text = run_text(record, {.width = 60});
    EXPECT_NE(
        text.find("\nrepaired: what the paper prints does not hold as it stands;\n  this does"),
        std::string::npos)
        << text;
    const std::vector<model::Record> runs = {record, record};
    EXPECT_EQ(compare_text(runs, {.brief = true, .width = 60}).substr(0, 200),
              compare_text(runs, {.brief = true}).substr(0, 200));
}

}  // namespace
}  // namespace equipoise::report
