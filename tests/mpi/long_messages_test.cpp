// Messages beyond what MPI's 32-bit counts can name.

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/mpi/messages.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer {
namespace {

TEST(MessagesBeyondTwoGibibytesLong, ArriveWhole) {
    if (world_size() != 2) GTEST_SKIP() << "for 2 ranks";
    constexpr std::uint64_t count = (std::uint64_t{1} << 28U) + 12345;  // of 8 bytes
    std::vector<std::uint64_t> items;
    if (world_rank() == 0) {
        items.resize(count);
        for (std::uint64_t i = 0; i < count; ++i)
            items[i] = i * 0x9e3779b97f4a7c15U;
    }
    // Rank 0 has no speed, so that rank 1 gets everything, in one message if that is allowed.
    const Options options = {.speed = static_cast<double>(world_rank()),
                             .message_bytes_max = mpi::message_bytes_limit};
    const Report report = rebalance(MPI_COMM_WORLD, items, options);
    EXPECT_EQ(static_cast<Tokens>(count), report.moved);
    ASSERT_EQ(world_rank() == 0 ? 0 : count, items.size());
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < items.size(); ++i)
        wrong += items[i] == i * 0x9e3779b97f4a7c15U ? 0 : 1;
    EXPECT_EQ(0U, wrong);
}

}  // namespace
}  // namespace equipoise::balancer
