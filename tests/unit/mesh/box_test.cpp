#include "equipoise/mesh/box.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/mesh/halving.hpp"

namespace equipoise::mesh {
namespace {

using Cells = std::vector<NodeId>;

Cells cells_of(const Box& box) {
    Cells cells;
    box.for_each_cell([&](NodeId cell) { cells.push_back(cell); });
    return cells;
}

TEST(Box, ListsItsCellsAndLinesInRowMajorOrderWithoutAxesOfSideOne) {
    const Box box(Cells{2, 1, 3});
    EXPECT_EQ(box.dimension(), 2U);
    EXPECT_EQ(box.cells(), 6U);
    EXPECT_EQ(box.extent(), 3U);
    EXPECT_EQ(box.longest_axis(), 1U);
    EXPECT_EQ(cells_of(box), (Cells{0, 1, 2, 3, 4, 5}));
    Cells firsts;
    box.for_each_line(0, [&](NodeId first) { firsts.push_back(first); });
    EXPECT_EQ(firsts, (Cells{0, 1, 2}));
    firsts.clear();
    box.for_each_line(1, [&](NodeId first) { firsts.push_back(first); });
    EXPECT_EQ(firsts, (Cells{0, 3}));
    EXPECT_EQ(cells_of(box.slice(0, 1)), (Cells{3, 4, 5}));
    EXPECT_EQ(cells_of(box.slice(1, 2)), (Cells{2, 5}));
    EXPECT_EQ(cells_of(Box(Cells{1, 1})), (Cells{0}));
}

TEST(Box, RefusesNoSidesEmptySidesAndTooManyCells) {
    EXPECT_THROW(Box(Cells{}), InputError);
    EXPECT_THROW(Box(Cells{3, 0}), InputError);
    EXPECT_THROW(Box(Cells{65536, 65536}), InputError);
}

TEST(Halving, PartsOfDeeperLevelsLieInsideThoseOfHigherOnesAndMakeUpTheBox) {
    for (const Cells& sides : std::vector<Cells>{{1}, {13}, {7, 12}, {5, 3, 9}, {3, 2, 4, 5}}) {
        const Box box(sides);
        Cells owner(box.cells(), 0);
        for (std::uint64_t side = box.side_max() + 1; side >= 1; --side) {
            const Levels levels = deepest_levels(box, side);
            Cells next(box.cells(), no_node);
            NodeId parts = 0;
            Part(box).for_each_part(Levels{}, levels, [&](const Part& part) {
                const Cells cells = cells_of(part.box());
                for (const NodeId cell : cells) {
                    ASSERT_EQ(next[cell], no_node);
                    ASSERT_EQ(owner[cell], owner[cells.front()]);
                    next[cell] = parts;
                }
                for (std::size_t axis = 0; axis < box.dimension(); ++axis) {
                    const NodeId whole = box.axis(axis).side;
                    ASSERT_GE(part.side(axis), std::min<std::uint64_t>(side, whole));
                    ASSERT_GE(part.side(axis), whole >> levels[axis]);
                    ASSERT_LE(part.side(axis), (whole >> levels[axis]) + 1);
                }
                ++parts;
            });
            ASSERT_EQ(std::count(next.begin(), next.end(), no_node), 0);
            owner = next;
        }
        // In the end no side is longer than two cells.
        for (NodeId number = 0; number < box.cells(); ++number)
            ASSERT_LE(std::count(owner.begin(), owner.end(), number), 1 << box.dimension());
    }
}

}  // namespace
}  // namespace equipoise::mesh
