#include "equipoise/protocols/discrepancy_1.hpp"

#include <gtest/gtest.h>

namespace equipoise::protocols {
namespace {

using State = Discrepancy1::NodeState;

Tokens flow(const Discrepancy1& rule, Tokens tail, Tokens head, Step step, const State& tail_state,
            const State& head_state) {
    return rule.evaluate({tail, 1, 1, tail_state}, {head, 1, 1, head_state}, {}, {step, 0, 0}).flow;
}

TEST(Discrepancy1, PlaysThreshold1InPhaseAAndThreshold1PlusInPhaseB) {
    const Discrepancy1 rule(3, 2);  // phases of 6 steps
    EXPECT_EQ(rule.phase(), 6U);
    const State frozen{.local_max = 6};
    EXPECT_EQ(flow(rule, 6, 5, 5, frozen, frozen), 1);
    EXPECT_EQ(flow(rule, 6, 5, 6, frozen, frozen), 0);
    EXPECT_EQ(flow(rule, 7, 5, 6, frozen, frozen), 1);
    EXPECT_EQ(flow(rule, 5, 6, 11, frozen, State{.local_max = 7}), -1);
    EXPECT_EQ(flow(rule, 6, 5, 12, frozen, frozen), 1);
}

TEST(Discrepancy1, TakesTheLocalMaximumOverPhaseAOnly) {
    const Discrepancy1 rule(3, 2);
    State state = rule.start_node({4, 1, 1});
    rule.before_step(state, 5, {0, 0});
    EXPECT_EQ(state.local_max, 5);
    rule.after_step(state, 5, 8, {5, 0});
    EXPECT_EQ(state.local_max, 8);
    rule.after_step(state, 8, 9, {6, 0});
    EXPECT_EQ(state.local_max, 8);
}

TEST(Discrepancy1, WakesNodesAtCyclesAndChecksAtTheEndOfPhaseA) {
    const Discrepancy1 rule(3, 2);
    for (Step step = 0; step < 40; ++step) {
        EXPECT_EQ(rule.wakes_all(step), step % 12 == 0) << step;
        EXPECT_EQ(rule.checks_finished(step), step % 12 == 6) << step;
    }
}

TEST(Discrepancy1, FinishesWhenTheKnownExtremesDifferByAtMostOne) {
    const Discrepancy1 rule(3, 2);
    State own = rule.start_node({4, 1, 1});
    EXPECT_TRUE(rule.finished(own));
    rule.merge(own, State{.highest = 5, .lowest = 4}, {}, model::LinkEnd::tail, 0);
    EXPECT_TRUE(rule.finished(own));
    rule.merge(own, State{.highest = 4, .lowest = 3}, {}, model::LinkEnd::head, 0);
    EXPECT_EQ(own.highest, 5);
    EXPECT_EQ(own.lowest, 3);
    EXPECT_FALSE(rule.finished(own));
}

TEST(Discrepancy1, HasNothingToDoOnOneNode) {
    const Discrepancy1 rule(1, 0);
    EXPECT_FALSE(rule.wakes_all(0));
    EXPECT_TRUE(rule.checks_finished(0));
    EXPECT_TRUE(rule.finished(rule.start_node({17, 0, 1})));
}

TEST(Discrepancy1, UnderTheUnsoundOptionATerminatedNodeExchangesNoMore) {
    const Discrepancy1 rule(3, 2, Discrepancy1::Termination::local_max_unchanged);
    EXPECT_EQ(flow(rule, 9, 0, 0, State{.terminated = true}, State{}), 0);
    EXPECT_EQ(flow(rule, 9, 0, 0, State{}, State{}), 1);
}

}  // namespace
}  // namespace equipoise::protocols
