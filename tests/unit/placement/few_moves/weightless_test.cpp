#include "equipoise/placement/few_moves/weightless.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace equipoise::placement {
namespace {

TEST(SendWeightless, DividesAllItemsEvenlyAmongRanksThatWork) {
    const std::vector<double> speeds = {0, 1, 0, 0.5, 2};
    EXPECT_EQ((std::vector<Transfer>{{0, 1, 3}, {0, 3, 2}, {2, 3, 1}, {2, 4, 2}}),
              send_weightless(std::vector<Tokens>{5, 0, 3, 0, 0}, speeds, {}));
    EXPECT_TRUE(send_weightless(std::vector<Tokens>(5, 0), speeds, {}).empty());
}

TEST(SendWeightless, StaysOnTheMachineIfARankWorksThere) {
    const std::vector<double> speeds = {0, 1, 0, 1, 0};
    const std::vector<int> machine = {7, 7, 5, 5, 3};
    EXPECT_EQ((std::vector<Transfer>{{0, 1, 5}, {2, 3, 3}, {4, 1, 1}, {4, 3, 1}}),
              send_weightless(std::vector<Tokens>{5, 0, 3, 0, 2}, speeds, machine));
}

}  // namespace
}  // namespace equipoise::placement
