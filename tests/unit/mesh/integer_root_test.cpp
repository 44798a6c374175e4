#include "equipoise/mesh/integer_root.hpp"

#include <cstdint>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/base/tokens.hpp"
#include "equipoise/mesh/box.hpp"
#include "equipoise/mesh/threshold.hpp"
#include "tests/support/property.hpp"

namespace equipoise::mesh {
namespace {

TEST(FloorRoot, IsTheLargestWhosePowerFits) {
    EXPECT_EQ(floor_root({{0, 1}}, 2), 0U);
    EXPECT_EQ(floor_root({{26, 1}}, 3), 2U);
    EXPECT_EQ(floor_root({{27, 1}}, 3), 3U);
    EXPECT_EQ(floor_root({{7, 2}, {2, 1}}, 2), 9U);     // sqrt(98)
    EXPECT_EQ(floor_root({{7, 2}, {2, 1}}, 2, 2), 7U);  // sqrt(49)
    EXPECT_TRUE(test::holds([] {
        const auto base = *rc::gen::inRange<std::uint64_t>(0, 1ULL << 40U);
        const auto degree = *rc::gen::inRange(1U, 3U);
        const auto divisor = *rc::gen::inRange<std::uint64_t>(1, 5);
        const std::uint64_t x = floor_root({{base, 1}, {3, 1}}, degree, divisor);
        const auto power = [&](std::uint64_t number) {
            UInt128 value = divisor;
            for (unsigned i = 0; i < degree; ++i)
                value *= number;
            return value;
        };
        RC_ASSERT(power(x) <= static_cast<UInt128>(base) * 3);
        RC_ASSERT(power(x + 1) > static_cast<UInt128>(base) * 3);
    }));
}

TEST(FloorRoot, IsExactWhereProductsExceed128Bits) {
    const std::uint64_t large = (std::uint64_t{1} << 40U) + 12345;
    EXPECT_EQ(floor_root({{large, 5}}, 5), large);
    EXPECT_EQ(floor_root({{large, 4}, {large - 1, 1}}, 5), large - 1);
    EXPECT_EQ(floor_root({{large, 4}, {large + 1, 1}}, 5), large);
    EXPECT_EQ(floor_root({{large, 5}, {3, 1}}, 5, 3), large);
}

TEST(Corner, IsACubeInCubesAndCutOffAtShortSidesElsewhere) {
    const Box cube(std::vector<NodeId>{8, 8, 8});
    EXPECT_EQ(corner(cube, 270, 10).free_axes, 3U);
    EXPECT_EQ(root(cube, 270, 10), 30);              // (270 * 100)^(1/3), 10 * 3
    EXPECT_EQ(tokens_per_layer(cube, 270, 10), 90);  // (270^2 * 10)^(1/3), 270 / 3
    // 1/2 of the volume: a = 8 / 2^(1/3), so that the cube root of 2 parts 270 / a again.
    EXPECT_EQ(tokens_per_layer_reduced(cube, 270, 10), 90 - 71);
    const Box beam(std::vector<NodeId>{2, 100, 2});
    EXPECT_EQ(corner(beam, 400, 5).free_axes, 1U);
    EXPECT_EQ(corner(beam, 400, 5).full_cells, 4U);
    EXPECT_EQ(root(beam, 400, 5), 100);  // 20 full slices of 4 cells
    EXPECT_EQ(tokens_per_layer(beam, 400, 5), 20);
}

}  // namespace
}  // namespace equipoise::mesh
