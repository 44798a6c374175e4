// Ranks that have room for so many items or bytes, asked for in C.

#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "tests/capi/calls.hpp"

namespace equipoise::capi {
namespace {

TEST(Room, InCIsKeptUnderEveryPolicyThatTakesIt) {
    for (const char* const policy : {EQUIPOISE_MINIMUM_MOVES, EQUIPOISE_HIERARCHICAL,
                                     EQUIPOISE_KEEP_ORDER, EQUIPOISE_WEIGHTED}) {
        CArray<Grain> array(balancer::make_items(pile(), balancer::make_grain));
        CArray<double> weights(std::vector<double>(static_cast<std::size_t>(array.count), 1));
        equipoise_options options = EQUIPOISE_OPTIONS_INIT;
        options.policy = policy;
        if (world_rank() == 0) options.items_max = 60 / world_size() - (world_size() > 1 ? 3 : 0);
        const bool weighted = policy == std::string(EQUIPOISE_WEIGHTED);
        const int code = weighted
                             ? equipoise_rebalance_weighted(
                                   MPI_COMM_WORLD, static_cast<void*>(&array.items), &weights.items,
                                   &array.count, sizeof(Grain), &options, nullptr)
                             : equipoise_rebalance(MPI_COMM_WORLD, static_cast<void*>(&array.items),
                                                   &array.count, sizeof(Grain), &options, nullptr);
        ASSERT_EQ(EQUIPOISE_OK, code) << equipoise_error_text();
        if (world_rank() == 0) {
            EXPECT_EQ(options.items_max, array.count) << policy;
        }
    }
}

TEST(Room, InCIsKeptForBytes) {
    for (const char* const policy : {EQUIPOISE_WEIGHTED, EQUIPOISE_KEEP_ORDER}) {
        CArray<Grain> array(balancer::make_items(pile(), balancer::make_grain));
        CArray<double> weights(std::vector<double>(static_cast<std::size_t>(array.count), 1));
        const std::vector<double> sizes = weights.as_vector();
        equipoise_options options = EQUIPOISE_OPTIONS_INIT;
        options.policy = policy;
        options.sizes = sizes.data();
        const auto rebalance = [&] {
            return equipoise_rebalance_weighted(MPI_COMM_WORLD, static_cast<void*>(&array.items),
                                                &weights.items, &array.count, sizeof(Grain),
                                                &options, nullptr);
        };
        options.bytes_max = 0.5;
        EXPECT_EQ(EQUIPOISE_BAD_INPUT, rebalance());
        const std::string error = equipoise_error_text();
        EXPECT_EQ(0U, error.find("all ranks: bad input: expected room for 60 bytes on ranks"))
            << error;
        EXPECT_EQ(-1, equipoise_error_rank());
        EXPECT_TRUE(same_everywhere(error));
        options.bytes_max = world_rank() == 0 && world_size() > 1 ? 2 : EQUIPOISE_NO_LIMIT;
        if (world_size() == 1) options.bytes_max = 60;
        ASSERT_EQ(EQUIPOISE_OK, rebalance()) << equipoise_error_text();
        if (world_rank() == 0) {
            EXPECT_EQ(world_size() == 1 ? 60 : 2, array.count);
        }
    }
}

}  // namespace
}  // namespace equipoise::capi
