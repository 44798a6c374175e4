#include "equipoise/model/run/matching_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise::model {
namespace {

network::AnyNetwork grid() {
    return network::Grid({6, 5}, network::Grid::Shape::torus);
}

bool is_matching(std::span<const Ends> links, NodeId node_count) {
    std::vector<bool> used(node_count, false);
    for (const Ends& ends : links) {
        if (used[ends.tail] || used[ends.head]) return false;
        used[ends.tail] = used[ends.head] = true;
    }
    return true;
}

TEST(RandomMatching, IsANonEmptyMatchingAtEveryStepAndDependsOnSeedAndStepOnly) {
    const network::AnyNetwork network = grid();
    RandomMatching first(network, 7);
    RandomMatching second(network, 7);
    for (Step step = 0; step < 50; ++step) {
        first.prepare(step);
        EXPECT_FALSE(first.links(step).empty());
        EXPECT_TRUE(is_matching(first.links(step), network.node_count()));
    }
    first.prepare(13);
    second.prepare(13);
    EXPECT_TRUE(std::equal(first.links(13).begin(), first.links(13).end(), second.links(13).begin(),
                           second.links(13).end()));
}

TEST(RandomMatching, UsesEveryLinkAboutAsOftenAsItsNeighbourhoodAllows) {
    const network::AnyNetwork network = grid();
    RandomMatching schedule(network, 3);
    constexpr int steps = 7000;
    int total = 0;
    for (Step step = 0; step < steps; ++step) {
        schedule.prepare(step);
        total += static_cast<int>(schedule.links(step).size());
    }
    // Every link competes with six others: it is the least of seven with probability 1/7.
    const double expected = 60.0 / 7 * steps;
    EXPECT_NEAR(total, expected, 0.02 * expected);
}

TEST(RandomLink, IsEveryLinkEquallyOftenAndDependsOnSeedAndStepOnly) {
    for (const network::AnyNetwork& network :
         {grid(), network::AnyNetwork(network::Network(5, {{0, 1}, {1, 2}, {2, 3}, {1, 4}}))}) {
        RandomLink first(network, 7);
        RandomLink second(network, 7);
        const auto links = static_cast<int>(network.link_count());
        std::vector<int> count(network.link_count());
        constexpr int each = 2000;
        for (Step step = 0; step < static_cast<Step>(each * links); ++step) {
            first.prepare(step);
            ASSERT_EQ(first.links(step).size(), 1U);
            for (LinkId link = 0; link < network.link_count(); ++link)
                if (network.ends(link) == first.links(step)[0]) ++count[link];
        }
        for (const int times : count)
            EXPECT_NEAR(times, each, 5 * std::sqrt(each));
        first.prepare(13);
        second.prepare(13);
        EXPECT_EQ(first.links(13)[0], second.links(13)[0]);
    }
}

TEST(RandomLink, HasNoLinkInANetworkWithoutAny) {
    const network::AnyNetwork alone(network::Network(1, {}));
    RandomLink schedule(alone, 7);
    schedule.prepare(0);
    EXPECT_TRUE(schedule.links(0).empty());
    RandomPair pairs(1, 7);
    pairs.prepare(0);
    EXPECT_TRUE(pairs.links(0).empty());
}

TEST(SteepestMatching, TakesTheSteepestLinksFirstAndLeavesNoSteepLinkBetweenFreeNodes) {
    const network::AnyNetwork path = network::Network(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
    SteepestMatching schedule(path);
    schedule.prepare(0, std::vector<Tokens>{3, 0, 9, 8, 6});
    const std::vector<Ends> expected{{2, 1}, {3, 4}};
    EXPECT_TRUE(std::equal(schedule.links(0).begin(), schedule.links(0).end(), expected.begin(),
                           expected.end()));
    schedule.prepare(1, std::vector<Tokens>{1, 2, 2, 1, 1});
    EXPECT_TRUE(schedule.links(1).empty());
}

}  // namespace
}  // namespace equipoise::model
