#include "equipoise/placement/order_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/base/error.hpp"
#include "equipoise/placement/matching.hpp"
#include "equipoise/placement/targets.hpp"
#include "equipoise/placement/transfer.hpp"
#include "tests/support/property.hpp"

namespace equipoise::placement {
namespace {

using Sizes = std::vector<Tokens>;

// Items that change their machine, and their rank, if all keep their order.
std::pair<Tokens, Tokens> changes(const Sizes& counts, const Sizes& sizes,
                                  const std::vector<int>& machine) {
    const std::vector<Transfer> transfers = match_in_order(counts, sizes);
    return {items_between(transfers, machine), items_moved(transfers)};
}

// The least changes over all floors and ceilings of the shares.
std::pair<Tokens, Tokens> least_changes(const Sizes& counts, const std::vector<double>& speeds,
                                        const std::vector<int>& machine) {
    const Tokens items = total(counts);
    const double speed = std::accumulate(speeds.begin(), speeds.end(), 0.0);
    std::pair<Tokens, Tokens> least = {items + 1, 0};
    for (unsigned up = 0; up < 1U << counts.size(); ++up) {
        Sizes sizes;
        bool possible = true;
        for (std::size_t r = 0; r < counts.size(); ++r) {
            const double share = static_cast<double>(items) * speeds[r] / speed;
            const bool ceiling = (up >> r) % 2 == 1;
            possible = possible && (!ceiling || share > std::floor(share));
            sizes.push_back(static_cast<Tokens>(std::floor(share)) + (ceiling ? 1 : 0));
        }
        if (possible && total(sizes) == items)
            least = std::min(least, changes(counts, sizes, machine));
    }
    return least;
}

TEST(OrderSizes, ChangeTheFewestMachinesThenTheFewestRanksOfAllRoundings) {
    EXPECT_TRUE(test::holds("no choice of floors and ceilings is better", [] {
        const auto ranks = *rc::gen::inRange<std::size_t>(1, 9);
        Sizes counts;
        std::vector<double> speeds;
        std::vector<int> machine;
        const bool alike = *rc::gen::arbitrary<bool>();
        for (std::size_t r = 0; r < ranks; ++r) {
            counts.push_back(*rc::gen::inRange<Tokens>(0, *rc::gen::element(3, 20)));
            speeds.push_back(alike ? 1 : *rc::gen::inRange(r == 0 ? 1 : 0, 4));
            machine.push_back(*rc::gen::inRange(0, 3));
        }
        const Sizes sizes = order_sizes(counts, speeds, machine);
        RC_ASSERT(total(sizes) == total(counts));
        const double speed = std::accumulate(speeds.begin(), speeds.end(), 0.0);
        for (std::size_t r = 0; r < ranks; ++r) {
            const double share = static_cast<double>(total(counts)) * speeds[r] / speed;
            RC_ASSERT(std::abs(static_cast<double>(sizes[r]) - share) < 1);
        }
        RC_ASSERT(changes(counts, sizes, machine) == least_changes(counts, speeds, machine));
        if (alike) RC_ASSERT(order_sizes(counts, {}, machine) == sizes);
    }));
}

TEST(OrderSizes, GiveTheOddItemToTheMachineThatHasIt) {
    // The second machine holds three of five items: lowest ranks first would move one away.
    const std::vector<int> machine = {0, 0, 1, 1};
    EXPECT_EQ((Sizes{1, 1, 2, 1}), order_sizes(Sizes{1, 1, 3, 0}, {}, machine));
}

TEST(OrderSizes, ServeThousandsOfRanks) {
    Sizes counts;
    std::vector<int> machine;
    for (int r = 0; r < 2000; ++r) {
        counts.push_back(r % 7);
        machine.push_back(r / 16);
    }
    const Sizes sizes = order_sizes(counts, {}, machine);
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    EXPECT_LE(*most - *least, 1);
    EXPECT_EQ(total(counts), total(sizes));
}

TEST(OrderSizes, RefuseRanksThatAllStandStill) {
    EXPECT_THROW(static_cast<void>(
                     order_sizes(Sizes{1, 2}, std::vector<double>{0, 0}, std::vector<int>{0, 0})),
                 InputError);
}

}  // namespace
}  // namespace equipoise::placement
