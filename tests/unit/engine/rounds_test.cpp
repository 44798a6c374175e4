#include "equipoise/engine/rounds.hpp"

#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/model/run/matching_schedule.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/discrepancy_1.hpp"
#include "equipoise/protocols/threshold.hpp"

namespace equipoise::engine {
namespace {

using load::Loads;
using model::PeriodicSchedule;
using model::StopReason;
using network::Network;
using protocols::Threshold1;
using protocols::Threshold2;

/// The path 0-1-2-3 with colours 0, 1, 0.
struct Path4 {
    Network network{4, {{0, 1}, {1, 2}, {2, 3}}};
    PeriodicSchedule schedule{{{{0, 1}, {2, 3}}, {{1, 2}}}};
};

TEST(Rounds, PlayThreshold2OnAPathByHand) {
    Path4 path;
    const RoundOptions options;
    EdgeRounds rounds(Threshold2{}, path.schedule, {4, 0, 0, 0}, path.network, options);
    const std::vector<Loads> expected = {{3, 1, 0, 0}, {3, 1, 0, 0}, {2, 2, 0, 0},
                                         {2, 1, 1, 0}, {2, 1, 1, 0}, {2, 1, 1, 0}};
    for (const Loads& loads : expected) {
        rounds.step();
        EXPECT_EQ(Loads(rounds.loads().begin(), rounds.loads().end()), loads);
    }
    EXPECT_EQ(rounds.costs(), (model::Costs{6, 3, 3, 18}));
}

TEST(Rounds, CountRoundsAsBegunPeriods) {
    Path4 path;
    RoundOptions options;
    options.stop.steps_max = 3;
    const auto outcome =
        run_rounds(Threshold1{}, path.schedule, {4, 0, 0, 0}, path.network, options);
    EXPECT_EQ(outcome.stopped_because, StopReason::steps_max);
    EXPECT_EQ(outcome.costs.steps, 3U);
    EXPECT_EQ(outcome.costs.rounds, 2U);
}

TEST(Rounds, EndAtTheDiscrepancyAskedForAndOnlyAtTheEndOfARound) {
    Path4 path;
    RoundOptions options;
    options.stop.discrepancy = 2;
    const auto outcome =
        run_rounds(Threshold2{}, path.schedule, {4, 0, 0, 0}, path.network, options);
    EXPECT_EQ(outcome.stopped_because, StopReason::discrepancy);
    EXPECT_EQ(outcome.loads, (Loads{2, 1, 1, 0}));
    EXPECT_EQ(outcome.costs.steps, 4U);
}

TEST(Rounds, EndBeforeTheFirstStepWhenTheDiscrepancyIsThere) {
    Path4 path;
    RoundOptions options;
    options.stop.discrepancy = 1;
    const auto outcome =
        run_rounds(Threshold1{}, path.schedule, {2, 1, 1, 2}, path.network, options);
    EXPECT_EQ(outcome.stopped_because, StopReason::discrepancy);
    EXPECT_EQ(outcome.costs, model::Costs{});
}

TEST(Rounds, EndWhenNoTwoNeighboursDifferByMoreThanOne) {
    Path4 path;
    RoundOptions options;
    options.stop.one_balanced = true;
    const auto outcome =
        run_rounds(Threshold2{}, path.schedule, {9, 0, 0, 0}, path.network, options);
    EXPECT_EQ(outcome.stopped_because, StopReason::one_balanced);
    EXPECT_LE(load::local_imbalance(path.network, outcome.loads), 1);
}

TEST(Rounds, EndAfterAsManyQuietStepsAsAskedFor) {
    Path4 path;
    RoundOptions options;
    options.stop.quiet_steps = 2;
    const auto outcome =
        run_rounds(Threshold2{}, path.schedule, {4, 0, 0, 0}, path.network, options);
    EXPECT_EQ(outcome.stopped_because, StopReason::quiet);
    EXPECT_EQ(outcome.costs.steps, 6U);  // the last token moves in the fourth step
}

TEST(Rounds, EndAfterStableStepsThoughTokensMoveOn) {
    Path4 path;
    RoundOptions options;
    options.stop.stable_steps = 8;
    const auto outcome =
        run_rounds(Threshold1{}, path.schedule, {3, 0, 0, 0}, path.network, options);
    EXPECT_EQ(outcome.stopped_because, StopReason::stable);
    EXPECT_LE(load::discrepancy(outcome.loads), 2);
}

TEST(Rounds, EndWhenAskedToStop) {
    Path4 path;
    std::stop_source source;
    RoundOptions options;
    options.interrupt = source.get_token();
    struct StopAtFive : model::Observer {
        std::stop_source* source = nullptr;
        [[nodiscard]] Step next_wanted(Step /*done*/) const override { return 5; }
        void on_step(const model::StepView& /*view*/) override { source->request_stop(); }
    } observer;
    observer.source = &source;
    const std::vector<model::Observer*> observers = {&observer};
    options.observers = observers;
    const auto outcome =
        run_rounds(Threshold1{}, path.schedule, {3, 0, 0, 0}, path.network, options);
    EXPECT_EQ(outcome.stopped_because, StopReason::interrupted);
    EXPECT_EQ(outcome.costs.steps, 5U);
}

TEST(Rounds, HaveNothingToDoWithoutLinks) {
    const Network network(1, {});
    PeriodicSchedule schedule;
    const auto outcome =
        run_rounds(protocols::Discrepancy1(1, 0), schedule, {12}, network, RoundOptions{});
    EXPECT_EQ(outcome.stopped_because, StopReason::nothing_to_do);
    EXPECT_EQ(outcome.loads, Loads{12});
    EXPECT_EQ(outcome.costs, model::Costs{});
}

TEST(Rounds, EndByTheRulesOwnTermination) {
    const Network network(3, {{0, 1}, {0, 2}});
    PeriodicSchedule schedule({{{0, 1}}, {{0, 2}}});
    const auto outcome =
        run_rounds(protocols::Discrepancy1(3, 2), schedule, {17, 0, 22}, network, RoundOptions{});
    EXPECT_EQ(outcome.stopped_because, StopReason::own_termination);
    EXPECT_LE(load::discrepancy(outcome.loads), 1);
}

TEST(Rounds, RefuseLoadsAndSpeedsThatDoNotFitTheNetwork) {
    Path4 path;
    RoundOptions options;
    EXPECT_THROW((void)run_rounds(Threshold1{}, path.schedule, {1, 2}, path.network, options),
                 InputError);
    const std::vector<Tokens> speeds = {1, 2};
    options.speeds = speeds;
    EXPECT_THROW((void)run_rounds(Threshold1{}, path.schedule, {1, 2, 3, 4}, path.network, options),
                 InputError);
}

TEST(Rounds, RefuseMoreTokensThanArithmeticHolds) {
    Path4 path;
    EXPECT_THROW((void)run_rounds(Threshold1{}, path.schedule, {tokens_max, 1, 0, 0}, path.network,
                                  RoundOptions{}),
                 OverflowError);
    EXPECT_THROW((void)run_rounds(Threshold1{}, path.schedule,
                                  {tokens_max, -tokens_max, tokens_max, -tokens_max}, path.network,
                                  RoundOptions{}),
                 OverflowError);
}

TEST(Rounds, TellObserversTransfersOfEveryStep) {
    Path4 path;
    struct Keep : model::Observer {
        std::vector<model::Transfer> all;
        int starts = 0;
        int ends = 0;
        [[nodiscard]] bool wants_transfers() const override { return true; }
        void on_start(const model::StepView& /*view*/) override { ++starts; }
        void on_step(const model::StepView& view) override {
            all.insert(all.end(), view.transfers.begin(), view.transfers.end());
        }
        void on_end(const model::StepView& /*view*/) override { ++ends; }
    } observer;
    const std::vector<model::Observer*> observers = {&observer};
    RoundOptions options;
    options.observers = observers;
    options.stop.steps_max = 4;
    static_cast<void>(run_rounds(Threshold2{}, path.schedule, {4, 0, 0, 0}, path.network, options));
    EXPECT_EQ(observer.all,
              (std::vector<model::Transfer>{{0, 0, 1, 1}, {2, 0, 1, 1}, {3, 1, 2, 1}}));
    EXPECT_EQ(observer.starts, 1);
    EXPECT_EQ(observer.ends, 1);
}

TEST(Rounds, CallObserversOnlyWhenTheyWantToBe) {
    Path4 path;
    struct Sampler : model::Observer {
        std::vector<Step> seen;
        [[nodiscard]] Step next_wanted(Step done) const override { return done + 3; }
        void on_step(const model::StepView& view) override { seen.push_back(view.costs.steps); }
    } observer;
    const std::vector<model::Observer*> observers = {&observer};
    RoundOptions options;
    options.observers = observers;
    options.stop.steps_max = 10;
    static_cast<void>(run_rounds(Threshold1{}, path.schedule, {4, 0, 0, 0}, path.network, options));
    EXPECT_EQ(observer.seen, (std::vector<Step>{3, 6, 9}));
}

TEST(Rounds, BookArrivalsAndConsumptionAtTheStartOfRounds) {
    Path4 path;
    struct World : model::Environment {
        std::vector<Step> rounds;
        void before_round(Step round, std::span<const Tokens> /*loads*/,
                          model::Changes& changes) override {
            rounds.push_back(round);
            if (round == 0) changes.arrivals = {{3, 10}};
            if (round == 1) changes.arrivals = {{0, -1000}};  // more than there is
        }
    } world;
    RoundOptions options;
    options.environment = &world;
    options.stop.steps_max = 5;
    const auto outcome =
        run_rounds(Threshold2{}, path.schedule, {4, 0, 0, 0}, path.network, options);
    EXPECT_EQ(world.rounds, (std::vector<Step>{0, 1, 2}));
    EXPECT_EQ(outcome.created, 10);
    EXPECT_EQ(outcome.destroyed, 3);
    EXPECT_EQ(load::total(outcome.loads), 4 + 10 - 3);
}

/// 0 - 1 - 2 - 3: node 1 goes and hands its tokens to node 0; node 0 then has nobody to hand to.
TEST(Rounds, HandTheTokensOfLeavingNodesToTheirFirstLiveNeighbour) {
    Path4 path;
    struct World : model::Environment {
        [[nodiscard]] bool changes_network() const override { return true; }
        void before_round(Step round, std::span<const Tokens> loads,
                          model::Changes& changes) override {
            seen.emplace_back(loads.begin(), loads.end());
            if (round == 0) changes.nodes = {{1, false}};
            if (round == 0) changes.arrivals = {{1, 100}};  // turned away
            if (round == 1) changes.nodes = {{0, false}};
            if (round == 2) changes.nodes = {{0, true}, {1, true}};
            if (round == 2) changes.links = {{2, false}};  // between 2 and 3
        }
        std::vector<load::Loads> seen;
    } world;
    RoundOptions options;
    options.environment = &world;
    options.stop.own_termination = false;
    options.stop.steps_max = 30;
    const auto outcome =
        run_rounds(Threshold2{}, path.schedule, {0, 5, 0, 9}, path.network, options);
    ASSERT_GE(world.seen.size(), 3U);
    EXPECT_EQ(world.seen[1][0], 5);
    EXPECT_EQ(world.seen[1][1], 0);
    EXPECT_EQ(world.seen[2][0], 5) << "nobody is there to take the tokens: they wait";
    EXPECT_EQ(outcome.created, 0);
    EXPECT_EQ(load::total(outcome.loads), 14);
    EXPECT_EQ(outcome.loads[3], world.seen[2][3]) << "no live link leads to node 3";
}

/// The canary: an environment that steals a token behind the ledger's back. A run that lost a token
/// must not end as if nothing had happened.
TEST(LedgerCanary, ARunThatLosesATokenDies) {
    Path4 path;
    struct Thief : model::Environment {
        void before_round(Step round, std::span<const Tokens> loads,
                          model::Changes& /*changes*/) override {
            if (round == 1) --const_cast<Tokens&>(loads[0]);  // NOLINT: what must be caught
        }
    } thief;
    RoundOptions options;
    options.environment = &thief;
    options.stop.steps_max = 4;
    EXPECT_DEATH((void)run_rounds(Threshold2{}, path.schedule, {4, 0, 0, 0}, path.network, options),
                 "balances");
    options.stop.steps_max = 2;  // ends before the theft
    EXPECT_EQ(run_rounds(Threshold2{}, path.schedule, {4, 0, 0, 0}, path.network, options)
                  .stopped_because,
              StopReason::steps_max);
}

/// A rule that always sends two tokens to the head, whether they are there or not.
struct Spendthrift {
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;
    static model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& /*tail*/,
                                               const model::EdgeEnd<NodeState>& /*head*/,
                                               const LinkState& /*link*/, model::EdgeStep /*at*/) {
        return {2, {}};
    }
};
struct LicensedSpendthrift : Spendthrift {
    static constexpr bool may_owe = true;
};

TEST(LedgerCanary, ARuleThatSendsTokensItDoesNotHaveDiesUnlessItMayOwe) {
    Path4 path;
    RoundOptions options;
    options.stop.steps_max = 2;
    EXPECT_DEATH(
        (void)run_rounds(Spendthrift{}, path.schedule, {1, 0, 0, 0}, path.network, options),
        "nobody_owes");
    EXPECT_EQ(
        run_rounds(LicensedSpendthrift{}, path.schedule, {1, 0, 0, 0}, path.network, options).loads,
        (Loads{-1, 0, 0, 2}));
}

/// Keeps every node between 1 and 3 tokens by making or removing one in each step.
struct Outside : Threshold2 {
    [[nodiscard]] static Tokens create(NodeState& /*state*/, Tokens load, Tokens outflow) {
        if (outflow > 0) return 0;
        return static_cast<Tokens>(load < 1) - static_cast<Tokens>(load > 3);
    }
};

TEST(Rounds, BookTokensThatNodesMakeAndRemove) {
    for (const Body body : {Body::fast, Body::reference}) {
        Path4 path;
        RoundOptions options;
        options.body = body;
        options.stop.steps_max = 4;
        const auto outcome =
            run_rounds(Outside{}, path.schedule, {5, 5, 0, 0}, path.network, options);
        // 5500 -> 4411 -> (1-2 active) 4321 -> 3321 -> 3321.
        EXPECT_EQ(outcome.loads, (Loads{3, 3, 2, 1}));
        EXPECT_EQ(outcome.created, 2);
        EXPECT_EQ(outcome.destroyed, 3);
    }
}

TEST(Rounds, PrepareSchedulesThatLookAtLoadsWithTheLoadsOfEveryStep) {
    for (const Body body : {Body::fast, Body::reference}) {
        const network::AnyNetwork network = Network(4, {{0, 1}, {1, 2}, {2, 3}});
        model::SteepestMatching schedule(network);
        RoundOptions options;
        options.body = body;
        EdgeRounds rounds(Threshold2{}, schedule, {9, 0, 4, 0}, *network.stored(), options);
        // The steepest links are 0-1 and 2-3 until 5422; then 1-2, and then 0-1 again.
        const std::vector<Loads> expected = {{8, 1, 3, 1}, {7, 2, 2, 2}, {6, 3, 2, 2}, {5, 4, 2, 2},
                                             {5, 3, 3, 2}, {4, 4, 3, 2}, {4, 4, 3, 2}};
        for (const Loads& loads : expected) {
            rounds.step();
            EXPECT_EQ(Loads(rounds.loads().begin(), rounds.loads().end()), loads);
        }
        EXPECT_EQ(rounds.costs().rounds, expected.size());
    }
}

TEST(DealRounds, PlayDealAgreement2OnAPathByHand) {
    const Network network(3, {{0, 1}, {1, 2}});
    RoundOptions options;
    options.stop.one_balanced = true;
    // 0 offers 5 to 1; then 1 (5) offers 2 to 2; then 0 (5) offers 1 to 1 and 1 has nothing to
    // offer.
    const auto outcome = run_rounds(protocols::DealAgreement2{}, {10, 0, 0}, network, options);
    EXPECT_EQ(outcome.stopped_because, StopReason::one_balanced);
    EXPECT_EQ(load::total(outcome.loads), 10);
    EXPECT_LE(load::local_imbalance(network, outcome.loads), 1);
}

}  // namespace
}  // namespace equipoise::engine
