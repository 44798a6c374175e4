#include "equipoise/engine/moves.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/network/generators/classic.hpp"

namespace equipoise::engine {
namespace {

using model::Move;

/// Reports what it is given: one stretch of `steps` steps with these moves, then the loads after
/// it.
struct Script {
    struct Box {};
    std::vector<Move> moves;
    std::vector<model::MessagePhase> phases;
    Step distribution_steps = 0;
    Step computation_steps = 0;
    load::Loads after;

    void run(const Box& /*box*/, const load::Loads& /*loads*/, model::MoveSink& sink) const {
        model::Stretch stretch;
        stretch.distribution_steps = distribution_steps;
        stretch.computation_steps = computation_steps;
        stretch.exchanges = moves.size();
        for (const model::MessagePhase& phase : phases)
            stretch.messages += phase.messages;
        if (sink.wants_moves()) {
            stretch.moves = moves;
            stretch.phases = phases;
        }
        stretch.loads = after;
        static_cast<void>(sink.take(stretch));
    }
};

RoundOutcome play(const Script& script, const load::Loads& loads, RoundOptions options = {}) {
    options.body = Body::reference;
    MoveCosts costs;
    return run_moves(script, {}, network::AnyNetwork(network::make_path(3)), loads, options, costs);
}

TEST(MovePlayer, AppliesMovesStepByStepAndCountsAllSteps) {
    // Node 1 passes on what it holds while it receives.
    const Script script = {{{2, 0, 1}, {2, 1, 2}, {4, 0, 1}}, {{1, 6}, {4, 2}}, 2, 5, {0, 2, 1}};
    const RoundOutcome outcome = play(script, {2, 1, 0});
    EXPECT_EQ(outcome.loads, (load::Loads{0, 2, 1}));
    EXPECT_EQ(outcome.costs.steps, 7U);
    EXPECT_EQ(outcome.costs.exchanges, 3U);
    EXPECT_EQ(outcome.costs.messages, 8U);
    EXPECT_EQ(outcome.stopped_because, model::StopReason::own_termination);
    EXPECT_EQ(outcome.level_since, Step{5});  // 0 after step 3, then 2 as at the start
}

TEST(MovePlayer, StopsInTheMiddleOfAStretch) {
    const Script script = {{{2, 0, 1}, {4, 0, 1}}, {{1, 6}, {5, 2}}, 2, 5, {0, 2, 0}};
    RoundOptions options;
    options.stop.steps_max = 4;
    const RoundOutcome capped = play(script, {2, 0, 0}, options);
    EXPECT_EQ(capped.costs.steps, 4U);
    EXPECT_EQ(capped.costs.messages, 6U);  // of the phase that is over
    EXPECT_EQ(capped.loads, (load::Loads{1, 1, 0}));
    EXPECT_EQ(capped.stopped_because, model::StopReason::steps_max);
    options = {};
    options.stop.discrepancy = 1;
    const RoundOutcome level = play(script, {2, 0, 0}, options);
    EXPECT_EQ(level.costs.steps, 3U);
    EXPECT_EQ(level.stopped_because, model::StopReason::discrepancy);
}

TEST(MovePlayer, TakesSumsByTheFastBodyUnderACapThatIsNotReached) {
    MoveCosts costs;
    RoundOptions options;
    options.stop.steps_max = 8;
    const Script script = {{{0, 0, 1}, {2, 1, 0}, {4, 0, 1}}, {{6, 2}}, 3, 4, {1, 1, 0}};
    const RoundOutcome outcome = run_moves(script, {}, network::AnyNetwork(network::make_path(3)),
                                           {2, 0, 0}, options, costs);
    EXPECT_EQ(outcome.loads, (load::Loads{1, 1, 0}));
    EXPECT_EQ(outcome.costs.steps, 7U);
    EXPECT_EQ(costs.distribution_steps, 3U);
    EXPECT_EQ(costs.computation_steps, 4U);
    EXPECT_EQ(outcome.costs.messages, 2U);
    EXPECT_EQ(costs.played, checked_build);   // which play every move
    EXPECT_EQ(outcome.level_since, Step{5});  // 1 after step 1, 2 after step 3, 1 after step 5
    EXPECT_EQ(outcome.stopped_because, model::StopReason::own_termination);
}

TEST(MovePlayerDeathTest, RejectsImpossibleMoves) {
    GTEST_FLAG_SET(death_test_style, "fast");
    const load::Loads loads = {2, 1, 1};
    const auto one_step = [](std::vector<Move> moves) {
        return Script{std::move(moves), {}, 1, 1, {}};
    };
    EXPECT_DEATH(play(one_step({{0, 0, 2}}), loads), "adjacent");
    EXPECT_DEATH(play(one_step({{0, 0, 1}, {0, 0, 1}}), loads), "sent_");
    EXPECT_DEATH(play(one_step({{0, 1, 0}, {0, 1, 2}}), loads), "sent_");
    EXPECT_DEATH(play(one_step({{0, 0, 1}, {0, 2, 1}}), loads), "received_");
    // A token that arrives in this very step cannot be passed on.
    EXPECT_DEATH(play(one_step({{0, 0, 1}, {0, 1, 2}}), {1, 0, 1}), "loads_");
    // After the stretch's last step; and loads to which the moves do not lead.
    EXPECT_DEATH(play(one_step({{2, 0, 1}}), loads), "moves.empty");
    EXPECT_DEATH(play({{{0, 0, 1}}, {}, 1, 0, {2, 1, 1}}, loads), "loads");
    // Steps in which a token moves, and others, are told apart by what happens in them.
    EXPECT_DEATH(play({{{0, 0, 1}}, {}, 2, 1, {}}, loads), "distribution_steps");
}

}  // namespace
}  // namespace equipoise::engine
