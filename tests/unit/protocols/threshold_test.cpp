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

}  // namespace
}  // namespace equipoise::protocols
