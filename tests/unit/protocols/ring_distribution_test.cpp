#include "equipoise/protocols/ring_distribution.hpp"

#include <gtest/gtest.h>

namespace {

using equipoise::Tokens;
using equipoise::model::EdgeEnd;
using equipoise::model::Nothing;
using equipoise::protocols::RingDistribution;

TEST(RingDistribution, SendsOneTokenToTheNextNodeExactlyIfThatHasFewer) {
    const Nothing state;
    for (Tokens here = 0; here <= 5; ++here)
        for (Tokens next = 0; next <= 5; ++next)
            EXPECT_EQ(RingDistribution::evaluate(EdgeEnd<Nothing>{here, 2, 1, state},
                                                 EdgeEnd<Nothing>{next, 2, 1, state}, Nothing{}, {})
                          .flow,
                      next < here ? 1 : 0);
}

}  // namespace
