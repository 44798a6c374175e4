// Several weights an item that move with their items.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "tests/mpi/items.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/shortage.hpp"

namespace equipoise::balancer {
namespace {

constexpr std::size_t kinds = 3;

double weight_of(std::int64_t number, std::size_t kind) {
    return 1 + static_cast<double>((number * (static_cast<int>(kind) + 2)) % 7);
}

template <class Item>
std::vector<double> rows_of(const std::vector<Item>& items) {
    std::vector<double> rows;
    for (const Item& item : items)
        for (std::size_t kind = 0; kind < kinds; ++kind)
            rows.push_back(weight_of(item.number, kind));
    return rows;
}

TEST(WeightRows, MoveWithTheirItemsUnderBothPoliciesThatTakeWeights) {
    std::size_t which = 0;
    for (const auto& counts : distributions(world_size()))
        for (const Policy policy : {Policy::weighted, Policy::keep_order}) {
            if (!test::plays_case(world_size(), which++)) continue;
            const Options options = {.policy = policy, .weights_per_item = kinds};
            std::vector<Grain> items = make_items(counts, make_grain);
            std::vector<double> rows = rows_of(items);
            Options planned = options;
            planned.weights = rows;
            const Plan plan = make_plan(MPI_COMM_WORLD, std::ssize(items), planned);
            const Report report = rebalance(MPI_COMM_WORLD, items, rows, options);
            EXPECT_EQ(plan.report().largest, report.largest);
            EXPECT_EQ(plan.size_after(), std::ssize(items));
            EXPECT_EQ(rows_of(items), rows);
            EXPECT_TRUE(all_there(all_numbers(items)));
            const Report again = rebalance(MPI_COMM_WORLD, items, rows, options);
            EXPECT_DOUBLE_EQ(report.largest, again.largest_before);
            EXPECT_EQ(rows_of(items), rows);
        }
}

TEST(WeightRows, MoveBehindSerialisedItemsAndBesideOtherVectors) {
    std::size_t which = 0;
    for (const auto& counts : distributions(world_size())) {
        if (!test::plays_case(world_size(), which++)) continue;
        std::vector<Sack> sacks = make_items(counts, make_sack);
        std::vector<Grain> grains = make_items(counts, make_grain);
        std::vector<double> rows = rows_of(sacks);
        rebalance(MPI_COMM_WORLD, std::tie(sacks, grains), rows, {.weights_per_item = kinds},
                  SackSerialiser());
        EXPECT_EQ(rows_of(sacks), rows);
        EXPECT_EQ(rows_of(grains), rows);
        EXPECT_TRUE(all_there(all_numbers(sacks)));
    }
}

TEST(WeightRows, OfAnotherNumberThanIsSaidAreRefusedOnAllRanks) {
    std::vector<Grain> items = make_items(distributions(world_size())[6], make_grain);
    const std::vector<Grain> before = items;
    for (const std::size_t each : {std::size_t{0}, std::size_t{2}, std::size_t{65}}) {
        std::vector<double> rows = rows_of(items);
        rows.push_back(1);
        EXPECT_THROW(rebalance(MPI_COMM_WORLD, items, rows, {.weights_per_item = each}),
                     mpi::CollectiveError);
        EXPECT_EQ(before, items);
    }
}

TEST(WeightRows, SurviveEveryShortageOfMemory) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    if (world_size() > 3) GTEST_SKIP() << "three ranks show it";
    const std::vector<Tokens> counts = distributions(world_size())[6];
    for (const int failing : {0, world_size() - 1}) {
        std::int64_t which = 0;
        for (bool any = true; any; which += which < 60 ? 1 : 5) {
            std::vector<Grain> items = make_items(counts, make_grain);
            std::vector<double> rows = rows_of(items);
            const std::vector<Grain> before = items;
            bool threw = false;
            any = test::falls_short(failing, which, [&] {
                try {
                    rebalance(MPI_COMM_WORLD, items, rows, {.weights_per_item = kinds});
                } catch (const mpi::CollectiveError&) {
                    threw = true;
                }
            });
            EXPECT_EQ(rows_of(items), rows);
            if (threw) {
                EXPECT_EQ(before, items);
            }
            EXPECT_TRUE(all_there(all_numbers(items)));
        }
        EXPECT_GT(which, 10);
    }
}

}  // namespace
}  // namespace equipoise::balancer
