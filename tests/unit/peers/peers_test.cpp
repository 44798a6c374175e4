#include "benchmarks/placement/peers.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"

namespace equipoise::peers {
namespace {

double most(const Items& items, const std::vector<int>& rank) {
    const std::vector<double> loads = loads_of(items, rank);
    return *std::max_element(loads.begin(), loads.end());
}

// The largest load of the best placement, by trying all.
double optimum(const std::vector<double>& weights, std::size_t ranks) {
    std::vector<double> loads(ranks, 0);
    double best = std::numeric_limits<double>::infinity();
    const std::function<void(std::size_t)> place = [&](std::size_t item) {
        if (item == weights.size()) {
            best = std::min(best, *std::max_element(loads.begin(), loads.end()));
            return;
        }
        for (double& load : loads) {
            load += weights[item];
            place(item + 1);
            load -= weights[item];
        }
    };
    place(0);
    return best;
}

// Calls `check` with all weights from 1 to `heaviest` in descending order.
void for_all(std::size_t items, int heaviest,
             const std::function<void(const std::vector<double>&)>& check) {
    std::vector<double> weights;
    const std::function<void(int)> extend = [&](int largest) {
        if (weights.size() == items) {
            check(weights);
            return;
        }
        for (int weight = 1; weight <= largest; ++weight) {
            weights.push_back(weight);
            extend(weight);
            weights.pop_back();
        }
    };
    extend(heaviest);
}

// Instances of all kinds: items anywhere, some ranks with fixed weight.
struct Instance {
    std::vector<double> weights;
    std::vector<int> rank;
    std::vector<double> fixed;
    [[nodiscard]] Items items() const { return {weights, rank, fixed}; }
};
std::vector<Instance> instances() {
    std::vector<Instance> all;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        RandomStream random(seed, Purpose::loads);
        Instance one;
        one.fixed.assign(1 + random.below(12), 0);
        if (random.coin()) {
            for (double& each : one.fixed)
                each = random.unit();
        }
        const std::uint64_t items = random.below(60);
        for (std::uint64_t i = 0; i < items; ++i) {
            one.weights.push_back(random.unit() * (random.below(5) == 0 ? 10 : 1));
            one.rank.push_back(static_cast<int>(random.below(one.fixed.size())));
        }
        all.push_back(std::move(one));
    }
    return all;
}

std::vector<int> tempered_once(const Items& items) {
    return tempered(items, 1);
}

TEST(Peers, GiveEveryItemARankAndKeepAllWeight) {
    for (const auto place : {longest_processing_time, greedy_refine, tempered_once, zoltan_block}) {
        for (const Instance& instance : instances()) {
            const Items items = instance.items();
            const std::vector<int> rank = place(items);
            ASSERT_EQ(items.weights.size(), rank.size());
            for (const int each : rank) {
                ASSERT_GE(each, 0);
                ASSERT_LT(static_cast<std::size_t>(each), items.fixed.size());
            }
            const auto sum = [](const std::vector<double>& loads) {
                return std::accumulate(loads.begin(), loads.end(), 0.0);
            };
            EXPECT_NEAR(sum(loads_of(items, instance.rank)), sum(loads_of(items, rank)), 1e-9);
        }
    }
}

TEST(LongestProcessingTime, IsWithinGrahamsBoundOfTheOptimum) {
    for (const std::size_t ranks : {1U, 2U, 3U}) {
        const auto size = static_cast<double>(ranks);
        double worst = 0;
        for (std::size_t count = 1; count <= 7; ++count) {
            for_all(count, 5, [&](const std::vector<double>& weights) {
                const std::vector<int> rank(count, 0);
                const std::vector<double> fixed(ranks, 0);
                const Items items{weights, rank, fixed};
                const double ratio =
                    most(items, longest_processing_time(items)) / optimum(weights, ranks);
                worst = std::max(worst, ratio);
            });
        }
        // Graham's instances reach the bound.
        EXPECT_NEAR(4.0 / 3 - 1 / (3 * size), worst, 1e-12) << ranks;
    }
}

TEST(GreedyRefine, IsAtMostAThirdOfAPercentAboveLongestProcessingTime) {
    for (const Instance& instance : instances()) {
        const Items items = instance.items();
        EXPECT_LE(most(items, greedy_refine(items)),
                  1.003 * most(items, longest_processing_time(items)) + 1e-12);
    }
}

TEST(GreedyRefine, MovesNothingWhereEveryLoadIsWithinItsTolerances) {
    for (const Instance& instance : instances()) {
        const Items items = instance.items();
        const double any = std::numeric_limits<double>::max() / 1e6;
        EXPECT_EQ(instance.rank,
                  greedy_refine_once(items, most(items, instance.rank) * (1 + 1e-12), any));
    }
}

TEST(GreedyRefine, KeepsItemsOnlyBelowItsLimit) {
    for (const Instance& instance : instances()) {
        const Items items = instance.items();
        if (items.weights.empty()) continue;
        const double limit = most(items, longest_processing_time(items));
        const double any = std::numeric_limits<double>::max() / 1e6;
        const std::vector<int> rank = greedy_refine_once(items, limit, any);
        // Above the limit is only what went to the least loaded rank, by no more than that item.
        const double average = std::accumulate(items.weights.begin(), items.weights.end(), 0.0) /
                               static_cast<double>(items.fixed.size());
        const double largest = *std::max_element(items.weights.begin(), items.weights.end());
        const double fixed = *std::max_element(items.fixed.begin(), items.fixed.end());
        EXPECT_LE(most(items, rank), std::max(limit, average + largest + fixed) + 1e-12);
    }
}

TEST(GreedyRefine, TriesAPairOfTolerancesOnEveryProcessorButTheFirst) {
    EXPECT_EQ(0U, greedy_refine_tolerances(1).size());
    EXPECT_EQ(31U, greedy_refine_tolerances(32).size());
    EXPECT_EQ(14U * 16U, greedy_refine_tolerances(100'000).size());
}

TEST(TemperedLB, NeverRaisesTheLargestLoad) {
    for (const Instance& instance : instances()) {
        const Items items = instance.items();
        for (std::uint64_t seed = 0; seed < 3; ++seed)
            EXPECT_LE(most(items, tempered(items, seed)), most(items, instance.rank));
    }
}

TEST(TemperedLB, SpreadsAPileOfEqualItems) {
    for (const std::size_t ranks : {2U, 3U, 8U, 32U}) {
        const std::vector<double> weights(20 * ranks, 1);
        const std::vector<int> rank(20 * ranks, 0);
        const std::vector<double> fixed(ranks, 0);
        const Items items{weights, rank, fixed};
        EXPECT_LE(most(items, tempered(items, 1)), 30) << ranks;
    }
}

TEST(TemperedLB, GivesOnlyWhatLeavesTheReceiverBelowTheGiver) {
    const std::vector<double> weights = {10, 9};
    const std::vector<int> rank = {0, 1};
    const std::vector<double> fixed = {5, 5};
    EXPECT_EQ(rank, tempered({weights, rank, fixed}, 1));
}

TEST(ZoltanBlock, KeepsTheOrderAndIsWithinTheHeaviestItemOfTheShare) {
    for (const Instance& instance : instances()) {
        const std::vector<double> none(instance.fixed.size(), 0);
        const Items items{instance.weights, instance.rank, none};
        if (items.weights.empty()) continue;
        const std::vector<int> rank = zoltan_block(items);
        for (std::size_t a = 0; a < rank.size(); ++a) {
            for (std::size_t b = 0; b < rank.size(); ++b) {
                if (instance.rank[a] < instance.rank[b]) {
                    ASSERT_LE(rank[a], rank[b]);
                }
            }
        }
        const double share = std::accumulate(items.weights.begin(), items.weights.end(), 0.0) /
                             static_cast<double>(none.size());
        const double heaviest = *std::max_element(items.weights.begin(), items.weights.end());
        for (const double load : loads_of(items, rank))
            EXPECT_NEAR(share, load, heaviest + 1e-9);
    }
}

}  // namespace
}  // namespace equipoise::peers
