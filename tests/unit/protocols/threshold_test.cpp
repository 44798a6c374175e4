#include "equipoise/protocols/threshold.hpp"

#include <gtest/gtest.h>

#include "equipoise/protocols/threshold_plus.hpp"

namespace equipoise::protocols {
namespace {

template <class R>
Tokens flow(const R& rule, Tokens tail, Tokens head, typename R::NodeState tail_state = {},
            typename R::NodeState head_state = {}, Step step = 0) {
    return rule.evaluate({tail, 1, 1, tail_state}, {head, 1, 1, head_state}, {}, {step, 0, 0}).flow;
}

TEST(Threshold1, SendsOneTokenFromTheFullerEndWheneverTheyDiffer) {
    EXPECT_EQ(flow(Threshold1{}, 5, 5), 0);
    EXPECT_EQ(flow(Threshold1{}, 6, 5), 1);
    EXPECT_EQ(flow(Threshold1{}, 5, 6), -1);
    EXPECT_EQ(flow(Threshold1{}, 1000, 0), 1);
    EXPECT_EQ(flow(Threshold1{}, 0, 1000), -1);
}

TEST(Threshold2, SendsOneTokenOnlyAtADifferenceOfTwoOrMore) {
    EXPECT_EQ(flow(Threshold2{}, 5, 5), 0);
    EXPECT_EQ(flow(Threshold2{}, 6, 5), 0);
    EXPECT_EQ(flow(Threshold2{}, 5, 6), 0);
    EXPECT_EQ(flow(Threshold2{}, 7, 5), 1);
    EXPECT_EQ(flow(Threshold2{}, 5, 7), -1);
    EXPECT_EQ(flow(Threshold2{}, -3, 4), -1);
}

TEST(Threshold1Plus, KeepsATokenAtADifferenceOfOneWhenTheLoadIsTheLocalMaximum) {
    const Threshold1Plus rule;
    EXPECT_EQ(flow(rule, 6, 5, {6}, {9}), 0);
    EXPECT_EQ(flow(rule, 6, 5, {7}, {9}), 1);
    EXPECT_EQ(flow(rule, 5, 6, {9}, {6}), 0);
    EXPECT_EQ(flow(rule, 5, 6, {9}, {7}), -1);
    EXPECT_EQ(flow(rule, 7, 5, {7}, {9}), 1);
    EXPECT_EQ(flow(rule, 5, 5, {7}, {7}), 0);
}

TEST(Threshold1Plus, KeepsTheLargestLoadThatANodeHasHeld) {
    const Threshold1Plus rule;
    auto state = rule.start_node({4, 2, 1});
    EXPECT_EQ(state.local_max, 4);
    rule.after_step(state, 4, 3, {});
    EXPECT_EQ(state.local_max, 4);
    rule.after_step(state, 3, 6, {});
    EXPECT_EQ(state.local_max, 6);
}

TEST(Threshold1Plus, IsStirredBySteepLinksAndByLoadsThatBecomeTheLocalMaximum) {
    const Threshold1Plus rule(5, 2);
    const auto high = rule.start_node({4, 1, 1});
    const auto step = [&](Threshold1Plus::NodeState& own, Tokens neighbour_load, Tokens new_load,
                          Step now) {
        Threshold1Plus::NodeState neighbour = rule.start_node({neighbour_load, 1, 1});
        rule.merge(own, neighbour, {}, model::LinkEnd::tail, new_load - own.load);
        rule.after_step(own, own.load, new_load, {now, 0});
        return own.calm_since;
    };
    auto state = high;
    EXPECT_EQ(step(state, 4, 4, 0), 0U);  // frozen from the start
    EXPECT_EQ(step(state, 2, 3, 1), 2U);  // a steep link
    EXPECT_EQ(step(state, 2, 2, 2), 2U);  // a swap below localMax
    EXPECT_EQ(step(state, 3, 3, 3), 2U);
    EXPECT_EQ(step(state, 4, 4, 4), 5U);  // frozen again
    for (Step now = 5; now < 10; ++now) {
        EXPECT_FALSE(rule.finished(state));
        EXPECT_EQ(step(state, 4, 4, now), 5U);
    }
    EXPECT_TRUE(rule.finished(state));
    EXPECT_TRUE(rule.checks_finished(10));
    EXPECT_FALSE(rule.checks_finished(11));
    EXPECT_FALSE(Threshold1Plus().checks_finished(10));
}

}  // namespace
}  // namespace equipoise::protocols
