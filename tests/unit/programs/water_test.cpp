// Water poured over lower neighbours, up to the most tokens there can be.

#include "equipoise/programs/water.hpp"

#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise::programs {
namespace {

struct Neighbour {
    Tokens view = 0;
    bool heard = true;
};

TEST(Water, IsPouredOverManyNeighboursWithoutOverflow) {
    for (const std::size_t count : {1U, 2U, 10U, 1000U}) {
        const std::vector<Neighbour> neighbours(count);
        const std::span<const Neighbour> ports = neighbours;
        const Water water = find_water(tokens_max, ports);
        const auto shares = static_cast<Tokens>(count) + 1;
        EXPECT_EQ(water.level, tokens_max / shares);
        EXPECT_EQ(water.extra, tokens_max % shares);
        Tokens given = 0;
        pour(water, ports, [&](Port, Tokens gift) { given += gift; });
        EXPECT_EQ(tokens_max - given, water.left());
    }
}

}  // namespace
}  // namespace equipoise::programs
