#include "equipoise/protocols/dimension_exchange.hpp"

#include <gtest/gtest.h>

namespace {

using equipoise::ceil_divide;
using equipoise::Tokens;
using equipoise::model::EdgeEnd;
using equipoise::model::Nothing;
using equipoise::protocols::DimensionExchange;

Tokens flow(Tokens tail_load, Tokens head_load, Tokens tail_speed = 1, Tokens head_speed = 1) {
    const Nothing state;
    return DimensionExchange()
        .evaluate(EdgeEnd<Nothing>{tail_load, 1, tail_speed, state},
                  EdgeEnd<Nothing>{head_load, 1, head_speed, state}, Nothing{}, {})
        .flow;
}

TEST(DimensionExchange, SharesEvenlyWithTheOddTokenAtTheTail) {
    for (Tokens tail = 0; tail <= 20; ++tail) {
        for (Tokens head = 0; head <= 20; ++head) {
            const Tokens sent = flow(tail, head);
            EXPECT_EQ((tail - sent) - (head + sent), (tail + head) % 2) << tail << " " << head;
        }
    }
}

TEST(DimensionExchange, SharesInProportionToSpeedsRoundedToTheNearestWithHalvesAtTheTail) {
    for (Tokens tail = 0; tail <= 20; ++tail)
        for (Tokens head = 0; head <= 20; ++head)
            for (Tokens tail_speed = 1; tail_speed <= 4; ++tail_speed)
                for (Tokens head_speed = 1; head_speed <= 4; ++head_speed)
                    // floor(share + 1/2) for the share (x_u + x_v) s_u / (s_u + s_v)
                    EXPECT_EQ(tail - flow(tail, head, tail_speed, head_speed),
                              equipoise::floor_divide(
                                  2 * (tail + head) * tail_speed + tail_speed + head_speed,
                                  2 * (tail_speed + head_speed)));
}

}  // namespace
