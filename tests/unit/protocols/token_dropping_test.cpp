#include "equipoise/protocols/token_dropping.hpp"

#include <gtest/gtest.h>

namespace equipoise::protocols {
namespace {

using DroppingNode = TokenDropping::NodeState;
using DroppingLink = TokenDropping::LinkState;

DroppingNode node(bool occupied, std::uint8_t phase) {
    DroppingNode state;
    state.occupied = occupied;
    state.phase = phase;
    return state;
}

TEST(TokenDropping, AnEmptyNodeAsksOverTheFirstUnusedLinkToATokenAboveIt) {
    DroppingNode lower = node(false, 0);
    TokenDropping::merge(lower, node(true, 0), {9, false}, model::LinkEnd::head, 0);
    TokenDropping::merge(lower, node(true, 0), {3, true}, model::LinkEnd::head, 0);
    TokenDropping::merge(lower, node(false, 0), {2, false}, model::LinkEnd::head, 0);
    TokenDropping::merge(lower, node(true, 0), {1, false}, model::LinkEnd::tail, 0);
    EXPECT_EQ(lower.asked, 9U);
    TokenDropping::merge(lower, node(true, 0), {5, false}, model::LinkEnd::head, 0);
    EXPECT_EQ(lower.asked, 5U);
    DroppingNode occupied = node(true, 0);
    TokenDropping::merge(occupied, node(true, 0), {5, false}, model::LinkEnd::head, 0);
    EXPECT_EQ(occupied.asked, TokenDropping::no_slot);
}

TEST(TokenDropping, ANodeWithATokenGrantsItToTheFirstThatAsksIt) {
    DroppingNode upper = node(true, 1);
    DroppingNode asks_other = node(false, 1);
    asks_other.asked = 4;
    DroppingNode asks = node(false, 1);
    asks.asked = 6;
    TokenDropping::merge(upper, asks_other, {2, false}, model::LinkEnd::tail, 0);
    EXPECT_EQ(upper.granted, TokenDropping::no_slot);
    TokenDropping::merge(upper, asks, {6, false}, model::LinkEnd::tail, 0);
    EXPECT_EQ(upper.granted, 6U);
    DroppingNode empty = node(false, 1);
    TokenDropping::merge(empty, asks, {6, false}, model::LinkEnd::tail, 0);
    EXPECT_EQ(empty.granted, TokenDropping::no_slot);
}

TEST(TokenDropping, DropsWhereAskedAndGrantedAndUsesTheLinkUp) {
    DroppingNode upper = node(true, 2);
    DroppingNode lower = node(false, 2);
    upper.granted = 6;
    lower.asked = 6;
    const auto drops = [&](std::uint64_t slot) {
        return TokenDropping::evaluate({1, 1, 1, upper}, {0, 1, 1, lower}, DroppingLink{},
                                       {2, 0, slot});
    };
    EXPECT_EQ(drops(6).flow, 1);
    EXPECT_EQ(drops(6).link, (DroppingLink{6, true}));
    EXPECT_EQ(drops(5).flow, 0);
    EXPECT_EQ(drops(5).link, (DroppingLink{5, false}));
}

TEST(TokenDropping, ForgetsWhatWasAskedWhenARoundIsOver) {
    DroppingNode state = node(false, 2);
    state.asked = 6;
    TokenDropping::after_step(state, 0, 1, {2, 0});
    EXPECT_EQ(state, node(true, 0));
}

}  // namespace
}  // namespace equipoise::protocols
