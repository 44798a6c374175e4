#pragma once
// What levelling refuses.

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/mpi/agreement.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer {

/// The error of levelling four items on each rank, after which they must be where they were; or
/// "nothing was thrown". Collective.
inline std::string refusal_of(const Options& options) {
    std::vector<int> items(4, world_rank());
    try {
        rebalance(MPI_COMM_WORLD, items, options);
    } catch (const mpi::CollectiveError& error) {
        EXPECT_EQ(std::vector<int>(4, world_rank()), items);
        return error.what();
    }
    return "nothing was thrown";
}

}  // namespace equipoise::balancer
