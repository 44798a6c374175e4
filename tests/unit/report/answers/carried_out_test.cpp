#include "equipoise/report/answers/carried_out.hpp"

#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "tests/support/reassign_problem.hpp"

namespace equipoise::report {
namespace {

/// A plan of two moves, both of which were made in a second.
ReassignAnswer carried_out() {
    ReassignAnswer answer;
    answer.origin = "redis://127.0.0.1:7101";
    answer.problem = test::reassign_problem({0, 0, 0, 0}, {4, 4, 4, 4}, 2);
    answer.plan.before = stand(answer.problem, answer.problem.places);
    answer.plan.moves = {{0, 0, 0, 1}, {0, 1, 0, 1}};
    answer.plan.replayed = replay(answer.problem, answer.plan.moves);
    redis::CarriedOut done;
    done.slots = 2;
    done.keys = 1234;
    done.bytes = 5'620'000;
    done.seconds = 1;
    answer.carried_out = std::move(done);
    return answer;
}

TEST(CarriedOutText, SaysWhatWasMoved) {
    const ReassignAnswer answer = carried_out();
    EXPECT_TRUE(is_complete(*answer.carried_out));
    EXPECT_EQ(carried_out_text(answer),
              R"(Carried out:
  moved            2 slots of the plan, 5.62 MB
  keys sent        1,234
  time             1.00 s
)");
}

TEST(CarriedOutText, SaysWhatIsLeftAndWhy) {
    ReassignAnswer answer = carried_out();
    answer.carried_out->slots = 1;
    answer.carried_out->finished = 1;
    answer.carried_out->closed = 2;
    answer.carried_out->left = {"slot 5: a key is too large", "slot 7: a key is too large"};
    answer.carried_out->stopped = "127.0.0.1:7102: the connection was lost";
    answer.carried_out->interrupted = true;
    EXPECT_FALSE(is_complete(*answer.carried_out));
    EXPECT_EQ(carried_out_text(answer),
              R"(Carried out in part:
  moved            1 of 2 slots of the plan, 5.62 MB
  keys sent        1,234
  time             1.00 s
  open slots       1 finished, 2 closed
  left             slot 5: a key is too large
                   slot 7: a key is too large
  stopped          127.0.0.1:7102: the connection was lost
  interrupted      the same command goes on from here
)");
}

TEST(CarriedOutText, IsCompleteOnlyIfNothingIsLeftOrWasEndedEarly) {
    redis::CarriedOut done;
    EXPECT_TRUE(is_complete(done));
    done.interrupted = true;
    EXPECT_FALSE(is_complete(done));
    done = {};
    done.stopped = "why";
    EXPECT_FALSE(is_complete(done));
    done = {};
    done.left = {"slot 1: why"};
    EXPECT_FALSE(is_complete(done));
}

TEST(CarriedOutText, ProgressHasATimeToGoOnceSomethingIsDone) {
    redis::CarryOutProgress progress;
    progress.slots_all = 8191;
    EXPECT_EQ(progress_words(progress), "0 of 8,191 slots");
    progress.bytes_all = 5'620'000'000;
    progress.slots = 312;
    progress.bytes = 1'200'000'000;
    progress.seconds_left = 14.2;
    EXPECT_EQ(progress_words(progress), "312 of 8,191 slots, 1.20 GB of 5.62 GB, 14 s to go");
    progress.seconds_left = 125;
    EXPECT_EQ(progress_words(progress), "312 of 8,191 slots, 1.20 GB of 5.62 GB, 2 min 5 s to go");
    progress.slots = 8191;
    progress.bytes = progress.bytes_all;
    EXPECT_EQ(progress_words(progress), "8,191 of 8,191 slots, 5.62 GB of 5.62 GB");
}

TEST(CarriedOutJson, IsPartOfTheAnswer) {
    ReassignAnswer answer = carried_out();
    answer.carried_out->left = {"slot 5: why"};
    const auto json = nlohmann::json::parse(reassign_json(answer));
    const nlohmann::json& done = json.at("carried_out");
    EXPECT_EQ(done.at("slots"), 2);
    EXPECT_EQ(done.at("keys"), 1234);
    EXPECT_EQ(done.at("left"), nlohmann::json::array({"slot 5: why"}));
    EXPECT_EQ(done.at("interrupted"), false);
    EXPECT_FALSE(done.contains("stopped"));
    answer.carried_out.reset();
    EXPECT_FALSE(nlohmann::json::parse(reassign_json(answer)).contains("carried_out"));
}

}  // namespace
}  // namespace equipoise::report
