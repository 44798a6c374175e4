// items_max and bytes_max: ranks that have room for so many items, or so many bytes of them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "tests/mpi/items.hpp"
#include "tests/mpi/refusal.hpp"

namespace equipoise::balancer {
namespace {

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

TEST(Room, OfItemsThatAreLevelledByWeightIsKept) {
    const std::vector<Grain> before = make_items(all_on_last(), make_grain);
    std::vector<Grain> items = before;
    std::vector<double> weights;
    for (std::size_t i = 0; i < items.size(); ++i)
        weights.push_back(static_cast<double>(1 + i % 3));
    const Report report =
        rebalance(MPI_COMM_WORLD, items,
                  {.policy = Policy::weighted, .items_max = world_rank() + 2, .weights = weights});
    EXPECT_EQ(static_cast<std::size_t>(world_rank()) + 2, items.size());
    EXPECT_EQ(world_size() + 1, report.after.most);
    EXPECT_LE(report.largest_at_least, report.largest);
    EXPECT_TRUE(all_there(all_numbers(items)));
    weights.assign(items.size(), 1);
    const std::vector<Grain> filled = items;
    EXPECT_EQ(0, rebalance(MPI_COMM_WORLD, items,
                           {.policy = Policy::weighted,
                            .items_max = world_rank() + 2,
                            .weights = weights,
                            .tolerance = 1000})
                     .moved)
        << "all are in their place";
    EXPECT_EQ(filled.size(), items.size());
}

// The last rank holds items of 1, 2, 3, 1, 2, ... bytes, three for each rank; each rank has room
// for 6 bytes, which only one of each size or items of the same size fill.
TEST(Room, ForBytesIsFilledExactlyWhereAllOfItIsNeeded) {
    std::vector<Tokens> counts(static_cast<std::size_t>(world_size()), 0);
    counts.back() = 3 * world_size();
    std::vector<Grain> items = make_items(counts, make_grain);
    std::vector<std::uint32_t> sizes;  // of any type of numbers
    for (std::size_t i = 0; i < items.size(); ++i)
        sizes.push_back(static_cast<std::uint32_t>(1 + i % 3));
    std::vector<double> weights(items.size(), 1);
    Plan plan =
        make_plan(MPI_COMM_WORLD, static_cast<Tokens>(items.size()),
                  {.policy = Policy::weighted, .bytes_max = 6, .weights = weights, .sizes = sizes});
    rebalance(MPI_COMM_WORLD, items, weights,
              {.policy = Policy::weighted, .bytes_max = 6, .sizes = sizes});
    EXPECT_EQ(static_cast<std::size_t>(plan.size_after()), items.size());
    EXPECT_TRUE(all_there(all_numbers(items)));
    std::vector<std::uint32_t> got = sizes;
    plan.execute(got);
    EXPECT_EQ(6U, std::accumulate(got.begin(), got.end(), 0U));
}

// Consecutive items: the bytes 1, 2, 3 of each rank fit, and no other cuts do.
TEST(Room, ForBytesIsKeptInOrder) {
    std::vector<Tokens> counts(static_cast<std::size_t>(world_size()), 0);
    counts.back() = 3 * world_size();
    std::vector<Grain> items = make_items(counts, make_grain);
    std::vector<double> sizes;
    std::vector<double> weights;
    for (std::size_t i = 0; i < items.size(); ++i) {
        sizes.push_back(static_cast<double>(1 + i % 3));
        weights.push_back(static_cast<double>(1 + i));
    }
    rebalance(MPI_COMM_WORLD, items, weights,
              {.policy = Policy::keep_order, .bytes_max = 6, .sizes = sizes});
    EXPECT_EQ(3U, items.size());
    EXPECT_TRUE(counts_up(all_numbers(items)));
}

TEST(Room, ForBytesOfOneRankIsKeptThoughWeightsAreLevel) {
    if (world_size() == 1) return;
    std::vector<Grain> items =
        make_items(std::vector<Tokens>(static_cast<std::size_t>(world_size()), 4), make_grain);
    const std::vector<double> weights(4, 1);
    const std::vector<double> sizes(4, 2.5);
    Options options = {.policy = Policy::weighted, .weights = weights, .sizes = sizes};
    if (world_rank() == 0) options.bytes_max = 7;
    const Report report = rebalance(MPI_COMM_WORLD, items, options);
    EXPECT_EQ(2, report.moved);
    EXPECT_EQ(5, report.bytes_moved);
    EXPECT_LT(0, report.bytes_at_least);
    EXPECT_LE(report.bytes_at_least, 5);
    if (world_rank() == 0) {
        EXPECT_EQ(2U, items.size());
    }
    EXPECT_TRUE(all_there(all_numbers(items)));
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
    const std::vector<double> weights(4, 1);
    const std::string items = std::to_string(4 * world_size());
    const std::string expected = "all ranks: bad input: expected room for " + items +
                                 " items on ranks with a speed above 0, found room for " +
                                 std::to_string(3 * world_size()) + ": " +
                                 std::to_string(world_size()) + " too few";
    EXPECT_EQ(expected, refusal_of({.items_max = 3}));
    EXPECT_EQ(expected, refusal_of({.policy = Policy::keep_order, .items_max = 3}));
    EXPECT_EQ(expected,
              refusal_of({.policy = Policy::keep_order, .items_max = 3, .weights = weights}));
    EXPECT_EQ(expected,
              refusal_of({.policy = Policy::weighted, .items_max = 3, .weights = weights}));
    const bool last = world_rank() == world_size() - 1;
    EXPECT_EQ("rank " + std::to_string(world_size() - 1) +
                  ": bad input: expected room for at least the 2 pinned items, found items_max of "
                  "1",
              refusal_of({.pinned = 2, .items_max = last ? 1 : 9}));
    EXPECT_EQ("nothing was thrown",
              refusal_of({.policy = Policy::weighted, .items_max = 9, .weights = weights}));
    EXPECT_NE("nothing was thrown",
              refusal_of({.policy = Policy::keep_order, .items_max = 9, .machines_first = true}));
    EXPECT_NE("nothing was thrown", refusal_of({.policy = Policy::random_pairs, .items_max = 9}));
    EXPECT_EQ("nothing was thrown", refusal_of({.items_max = 4}));
}

TEST(Room, ForTooFewBytesIsAnErrorOnAllRanks) {
    const std::vector<double> weights(4, 1);
    const std::vector<double> sizes = {1, 2, 3, 4};
    const auto refusal = [&](std::optional<double> bytes_max, Tokens pinned = 0) {
        return refusal_of({.policy = Policy::weighted,
                           .pinned = pinned,
                           .bytes_max = bytes_max,
                           .weights = weights,
                           .sizes = sizes});
    };
    EXPECT_EQ("all ranks: bad input: expected room for " + std::to_string(10 * world_size()) +
                  " bytes on ranks with a speed above 0, found room for " +
                  std::to_string(8 * world_size()) + " bytes: " + std::to_string(2 * world_size()) +
                  " bytes too few",
              refusal(8));
    EXPECT_EQ("nothing was thrown", refusal(10));
    EXPECT_EQ("nothing was thrown", refusal(10, 4));
    const int last = world_size() - 1;
    const std::string blamed = "rank " + std::to_string(last) + ": bad input: ";
    const auto on_last = [&](double bytes_max) {
        return world_rank() == last ? std::optional<double>(bytes_max) : std::nullopt;
    };
    EXPECT_EQ(blamed + "expected a bytes_max of at least 0, found -2", refusal(on_last(-2)));
    EXPECT_EQ(blamed + "expected a bytes_max of at least 0, found nan",
              refusal(on_last(std::numeric_limits<double>::quiet_NaN())));
    EXPECT_EQ(blamed +
                  "expected room for at least the 3 bytes of pinned items, found bytes_max "
                  "of 2.5",
              refusal(on_last(2.5), 2));
    EXPECT_EQ("nothing was thrown", refusal(std::numeric_limits<double>::infinity()));
}

TEST(Room, ForNoneOfTheRanksItemsOfSomeSizeIsAnErrorThatNamesOne) {
    const std::vector<double> weights(4, 1);
    const int last = world_size() - 1;
    const std::vector<double> sizes = {0.5, 0.5, world_rank() == last ? 7.0 : 0.5, 0.5};
    EXPECT_EQ(
        world_size() == 1
            ? "all ranks: bad input: expected room for 8.5 bytes on ranks with a speed above "
              "0, found room for 6 bytes: 2.5 bytes too few"
            : "all ranks: bad input: expected a rank with room for item 2 of rank " +
                  std::to_string(last) + ", of 7 bytes, found room for at most 6 bytes",
        refusal_of(
            {.policy = Policy::weighted, .bytes_max = 6, .weights = weights, .sizes = sizes}));
}

// Eight items of 3 bytes, and room for 14 and 10: enough for all bytes, but for seven items only.
TEST(Room, ForBytesThatNoPlacementKeepsIsAnErrorThatNamesARank) {
    if (world_size() != 2) return;
    const std::vector<double> weights(4, 1);
    const std::vector<double> sizes(4, 3);
    EXPECT_EQ(
        "all ranks: bad input: expected limits that some placement keeps, found that none does: "
        "rank 0 would hold 1 byte more than it has room for",
        refusal_of({.policy = Policy::weighted,
                    .bytes_max = world_rank() == 0 ? 14 : 10,
                    .weights = weights,
                    .sizes = sizes}));
}

TEST(Room, ForBytesIsRefusedWhereItIsNotKept) {
    const std::vector<double> weights(4, 1);
    const std::vector<double> sizes(4, 1);
    const std::string needs_weights =
        "rank 0: bad input: bytes_max is for weighted, and with weights for keep-order (weights of "
        "1 level numbers of items)";
    for (const Policy policy :
         {Policy::minimum_moves, Policy::hierarchical, Policy::random_pairs, Policy::keep_order})
        EXPECT_EQ(needs_weights, refusal_of({.policy = policy, .bytes_max = 9}));
    for (const Policy policy : {Policy::weighted, Policy::keep_order})
        EXPECT_EQ("rank 0: bad input: expected sizes beside bytes_max, found none",
                  refusal_of({.policy = policy, .bytes_max = 9, .weights = weights}));
    EXPECT_EQ("rank 0: bad input: sizes are for weighted, and with weights for keep-order",
              refusal_of({.policy = Policy::keep_order, .sizes = sizes}));
    EXPECT_NE("nothing was thrown",
              refusal_of({.policy = Policy::keep_order, .weights = weights, .sizes = sizes}))
        << "without bytes_max they would be in vain";
}

TEST(Room, ForBytesTakesOnlySizesThatADoubleCanEqual) {
    const std::vector<double> weights(4, 1);
    const std::vector<std::int64_t> sizes(4, (std::int64_t{1} << 53) + 1);
    EXPECT_EQ(
        "rank 0: bad input: expected sizes that a double can equal (all whole numbers up to 2^53, "
        "and larger ones of at most 53 digits in binary), found 9007199254740993",
        refusal_of({.policy = Policy::weighted, .weights = weights, .sizes = sizes}));
}

// The error of levelling items that all ranks but the first have, of which only that has bytes_max.
std::string refusal_of_a_limit_without_items(Policy policy, bool with_weights) {
    const std::vector<double> weights(with_weights && world_rank() > 0 ? 4 : 0, 1);
    std::vector<int> items(world_rank() == 0 ? 0 : 4, 7);
    Options options = {.policy = policy, .weights = weights};
    if (world_rank() == 0) options.bytes_max = 9;
    try {
        rebalance(MPI_COMM_WORLD, items, options);
    } catch (const mpi::CollectiveError& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(Room, ForBytesOfARankWithoutItemsNeedsWeightsAndSizesOfTheOthers) {
    if (world_size() == 1) return;
    EXPECT_EQ(
        "rank 0: bad input: expected sizes of the items of all ranks or of none, found none "
        "on rank 1",
        refusal_of_a_limit_without_items(Policy::weighted, true));
    EXPECT_EQ(
        "rank 0: bad input: expected sizes of the items of all ranks, which limits of bytes "
        "need, found none on rank 1",
        refusal_of_a_limit_without_items(Policy::keep_order, true));
    EXPECT_EQ(
        "rank 0: bad input: bytes_max is for weighted, and with weights for keep-order "
        "(weights of 1 level numbers of items)",
        refusal_of_a_limit_without_items(Policy::keep_order, false));
}

}  // namespace
}  // namespace equipoise::balancer
