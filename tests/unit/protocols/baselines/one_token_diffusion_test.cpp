#include "equipoise/protocols/baselines/one_token_diffusion.hpp"

#include <array>
#include <cstdlib>

#include <gtest/gtest.h>

namespace {

using equipoise::Port;
using equipoise::Tokens;
using equipoise::model::EdgeEnd;
using equipoise::model::Nothing;
using equipoise::protocols::baselines::OneTokenDiffusion;

Tokens flow(Port degree_max, Tokens tail_load, Tokens head_load) {
    const Nothing state;
    return OneTokenDiffusion(degree_max)
        .evaluate(EdgeEnd<Nothing>{tail_load, 1, 1, state},
                  EdgeEnd<Nothing>{head_load, 1, 1, state}, Nothing{}, {})
        .flow;
}

TEST(OneTokenDiffusion, MovesOneTokenDownhillExactlyWhereTheDifferenceExceedsTwiceTheDegree) {
    for (Port degree_max = 1; degree_max <= 4; ++degree_max) {
        for (Tokens difference = -12; difference <= 12; ++difference) {
            const bool steep = std::abs(difference) > 2 * Tokens{degree_max};
            const Tokens downhill = difference > 0 ? 1 : -1;
            EXPECT_EQ(flow(degree_max, 20 + difference, 20), steep ? downhill : 0);
        }
    }
}

TEST(OneTokenDiffusion, LowersTheSumOfSquaresByTwoATokenOnAllSmallLoadsOfAPath) {
    for (Tokens left = 0; left <= 12; ++left) {
        for (Tokens centre = 0; centre <= 12; ++centre) {
            for (Tokens right = 0; right <= 12; ++right) {
                const Tokens first = flow(2, left, centre);
                const Tokens second = flow(2, centre, right);
                const std::array<Tokens, 3> after = {left - first, centre + first - second,
                                                     right + second};
                Tokens fall = left * left + centre * centre + right * right;
                for (const Tokens load : after) {
                    EXPECT_GE(load, 0);
                    fall -= load * load;
                }
                EXPECT_GE(fall, 2 * (std::abs(first) + std::abs(second)));
            }
        }
    }
}

}  // namespace
