// Rules and programs that a caller writes in C++ run, are recorded and are checked like entries;
// observers of the caller see what records hold.

#include "equipoise/catalogue/registry/given_rule.hpp"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/engine/parts/thread_fabric.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/programs/async_one_token_diffusion.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "equipoise/verify/verify.hpp"

namespace equipoise::catalogue {
namespace {

const network::AnyNetwork torus = network::generate("torus:4x4", 0);

load::Loads spike() {
    return load::make_loads("spike:tokens=170", torus, 0);
}

RunOptions full() {
    RunOptions options;
    options.record_level = model::RecordLevel::full;
    return options;
}

void expect_same_run(const Algorithm& given, const std::string& published) {
    const Outcome mine = run(given, torus, spike(), full());
    const Outcome theirs = run(published, torus, spike(), full());
    EXPECT_EQ(mine.loads(), theirs.loads());
    EXPECT_EQ(mine.record.transfers, theirs.record.transfers);
    EXPECT_EQ(mine.messages(), theirs.messages());
    EXPECT_TRUE(mine.record.given_rule);
    EXPECT_TRUE(verify::verify(mine.record).passed());
    EXPECT_TRUE(replay(mine.record, given).same);
}

TEST(GivenRule, OfTheCataloguePlaysLikeItsEntry) {
    expect_same_run(given_algorithm("mine", protocols::Threshold2{}, GivenLinks::colours),
                    "threshold-2");
    expect_same_run(given_algorithm("mine", protocols::DealAgreement2{}), "deal-agreement-2");
    expect_same_run(given_algorithm("mine", programs::AsyncOneTokenDiffusion(4, 8), {"report"}),
                    "async-one-token-diffusion");
}

TEST(GivenRule, NeedsANameOfItsOwnAndProgramsNamesOfTheirMessages) {
    const auto named = [](const std::string& name) {
        return given_algorithm(name, protocols::Threshold2{}, GivenLinks::all);
    };
    EXPECT_THROW(static_cast<void>(named("threshold-2")), InputError);
    EXPECT_THROW(static_cast<void>(named("")), InputError);
    const programs::AsyncOneTokenDiffusion program(4);
    EXPECT_THROW(static_cast<void>(given_algorithm("mine", program, {})), InputError);
    EXPECT_THROW(static_cast<void>(given_algorithm("mine", program, {"a", "a"})), InputError);
}

/// Sends one token more than there are.
struct TooMuch {
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;
    [[nodiscard]] static model::EdgeMove<LinkState> evaluate(
        const model::EdgeEnd<NodeState>& tail, const model::EdgeEnd<NodeState>& /*head*/,
        const LinkState& /*link*/, model::EdgeStep /*at*/) {
        return {tail.load + 1};
    }
};

TEST(GivenRule, ThatSendsWhatANodeDoesNotHoldEndsWithAnErrorThatNamesStepAndNode) {
    const Algorithm wrong = given_algorithm("wrong", TooMuch{}, GivenLinks::colours);
    try {
        static_cast<void>(run(wrong, torus, spike()));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "wrong: step 0, node 0: expected to be left with 0 tokens or more, found -1");
    }
}

TEST(GivenRule, ThatLeavesANodeWithLessThanNothingEndsWithAnErrorOnRanksToo) {
    const Algorithm wrong = given_algorithm("wrong", TooMuch{}, GivenLinks::colours);
    RunOptions options;
    options.steps_max = 1;
    try {
        engine::run_as_threads(3, [&](engine::Fabric& fabric) {
            RunOptions together = options;
            together.fabric = &fabric;
            static_cast<void>(run(wrong, torus, spike(), together));
        });
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "wrong: after 1 step, node 0: expected to be left with 0 tokens or more, "
                     "found -1");
    }
}

/// Keeps every transfer, and asks the run to end after some steps.
class Watcher final : public model::Observer {
  public:
    explicit Watcher(Step steps_max) : steps_max_(steps_max) {}
    [[nodiscard]] bool wants_transfers() const override { return true; }
    void on_step(const model::StepView& view) override {
        transfers.insert(transfers.end(), view.transfers.begin(), view.transfers.end());
        if (view.costs.steps == steps_max_) stop_.request_stop();
    }
    [[nodiscard]] RunOptions watched(Supervision& supervision) {
        supervision.interrupt = stop_.get_token();
        supervision.observers = {this};
        RunOptions options = full();
        options.supervision = &supervision;
        return options;
    }
    std::vector<model::Transfer> transfers;

  private:
    Step steps_max_;
    std::stop_source stop_;
};

TEST(Supervision, ObserversSeeEveryTransfer) {
    for (const char* algorithm : {"threshold-2", "deal-agreement-2", "async-deal-agreement"}) {
        Watcher watcher(0);
        Supervision supervision;
        const Outcome seen = run(algorithm, torus, spike(), watcher.watched(supervision));
        EXPECT_TRUE(seen.reached());
        EXPECT_FALSE(watcher.transfers.empty());
        EXPECT_EQ(watcher.transfers, seen.record.transfers) << algorithm;
    }
}

TEST(Supervision, AnObserverThatAsksForItEndsTheRunAfterTheStepThatItHasSeen) {
    Watcher watcher(7);
    Supervision supervision;
    const Outcome cut = run("threshold-2", torus, spike(), watcher.watched(supervision));
    EXPECT_EQ(cut.steps(), 7U);
    EXPECT_EQ(cut.stopped_because(), "interrupted");
    EXPECT_TRUE(verify::verify(cut.record).passed());
    EXPECT_TRUE(replay(cut.record).same);
}

}  // namespace
}  // namespace equipoise::catalogue
