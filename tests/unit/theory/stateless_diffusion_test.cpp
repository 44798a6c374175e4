#include "equipoise/theory/stateless_diffusion.hpp"

#include <gtest/gtest.h>

namespace equipoise::theory {
namespace {

TEST(StatelessDiffusion, BoundsForTheLeastDivisorAreTwiceTheDegreeLessOneAndThreeTimesLessTwo) {
    for (Tokens degree = 1; degree <= 10; ++degree) {
        EXPECT_EQ(send_floor_discrepancy(2 * degree), 2 * degree - 1);
        EXPECT_EQ(send_floor_discrepancy_ever_after(2 * degree, static_cast<std::uint64_t>(degree)),
                  3 * degree - 2);
    }
}

TEST(StatelessDiffusion, ANetworkWithoutLinksCountsAsOneOfDegreeOne) {
    EXPECT_EQ(send_floor_discrepancy_ever_after(2, 0), 1);
}

}  // namespace
}  // namespace equipoise::theory
