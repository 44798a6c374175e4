// items_max: ranks that have room for so many items.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer {
namespace {

using mpi::CollectiveError;

// All items are on the last rank; rank r has room for r + 2 of them, and they fill all ranks.
std::vector<Tokens> all_on_last() {
    std::vector<Tokens> counts(static_cast<std::size_t>(world_size()), 0);
    for (int rank = 0; rank < world_size(); ++rank)
        counts.back() += rank + 2;
    return counts;
}

TEST(Room, IsFilledExactlyWhereAllOfItIsNeeded) {
    for (const Policy policy : {Policy::minimum_moves, Policy::hierarchical, Policy::keep_order}) {
        std::vector<Grain> items = make_items(all_on_last(), make_grain);
        const Report report =
            rebalance(MPI_COMM_WORLD, items, {.policy = policy, .items_max = world_rank() + 2});
        EXPECT_EQ(static_cast<std::size_t>(world_rank()) + 2, items.size());
        EXPECT_EQ(world_size() + 1, report.after.most);
        EXPECT_TRUE(all_there(all_numbers(items)));
    }
}

TEST(Room, OfItemsWithWeightsIsKeptInTheirOrder) {
    std::vector<Grain> items = make_items(all_on_last(), make_grain);
    std::vector<double> weights(items.size(), 1);
    rebalance(MPI_COMM_WORLD, items, weights,
              {.policy = Policy::keep_order, .items_max = world_rank() + 2});
    EXPECT_EQ(static_cast<std::size_t>(world_rank()) + 2, items.size());
    EXPECT_EQ(items.size(), weights.size());
    EXPECT_TRUE(counts_up(all_numbers(items)));
}

TEST(Room, OfOneRankIsKeptThoughLoadsAreLevelOtherwise) {
    if (world_size() == 1) return;
    std::vector<int> items(5, world_rank());
    Options options;
    if (world_rank() == 0) options.items_max = 3;
    const Report report = rebalance(MPI_COMM_WORLD, items, options);
    EXPECT_EQ(2, report.moved);
    if (world_rank() == 0) {
        EXPECT_EQ(3U, items.size());
    }
    const std::vector<int> before = items;
    EXPECT_EQ(0, rebalance(MPI_COMM_WORLD, items, options).moved) << "it is kept now";
    EXPECT_EQ(before, items);
}

TEST(Room, ThatIsTooLittleIsAnErrorOnAllRanks) {
    const auto refused = [](const Options& options) -> std::string {
        std::vector<int> items(4, world_rank());
        try {
            rebalance(MPI_COMM_WORLD, items, options);
        } catch (const CollectiveError& error) {
            EXPECT_EQ(std::vector<int>(4, world_rank()), items);
            return error.what();
        }
        return "nothing was thrown";
    };
    const std::vector<double> weights(4, 1);
    const std::string items = std::to_string(4 * world_size());
    const std::string expected = "rank 0: bad input: expected room for " + items +
                                 " items on ranks with a speed above 0, found room for " +
                                 std::to_string(3 * world_size()) + ": " +
                                 std::to_string(world_size()) + " too few";
    EXPECT_EQ(expected, refused({.items_max = 3}));
    EXPECT_EQ(expected, refused({.policy = Policy::keep_order, .items_max = 3}));
    EXPECT_EQ(expected,
              refused({.policy = Policy::keep_order, .items_max = 3, .weights = weights}));
    const bool last = world_rank() == world_size() - 1;
    EXPECT_EQ("rank " + std::to_string(world_size() - 1) +
                  ": bad input: expected room for at least the 2 pinned items, found items_max of "
                  "1",
              refused({.pinned = 2, .items_max = last ? 1 : 9}));
    EXPECT_NE("nothing was thrown",
              refused({.policy = Policy::weighted, .items_max = 9, .weights = weights}));
    EXPECT_NE("nothing was thrown",
              refused({.policy = Policy::keep_order, .items_max = 9, .machines_first = true}));
    EXPECT_NE("nothing was thrown", refused({.policy = Policy::random_pairs, .items_max = 9}));
    EXPECT_EQ("nothing was thrown", refused({.items_max = 4}));
}

}  // namespace
}  // namespace equipoise::balancer
