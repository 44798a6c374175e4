#include "equipoise/network/grid.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::network {
namespace {

/// The links of a grid straight from the definition: coordinates that differ by one along one axis,
/// modulo the side on a torus of side 3 or more.
Network stored(const std::vector<NodeId>& sides, bool torus) {
    NodeId count = 1;
    for (const NodeId side : sides)
        count *= side;
    std::vector<std::vector<NodeId>> coordinates;
    for (NodeId node = 0; node < count; ++node) {
        std::vector<NodeId> place(sides.size());
        NodeId rest = node;
        for (std::size_t axis = sides.size(); axis-- > 0; rest /= sides[axis])
            place[axis] = rest % sides[axis];
        coordinates.push_back(place);
    }
    std::vector<Ends> links;
    for (NodeId a = 0; a < count; ++a) {
        for (NodeId b = a + 1; b < count; ++b) {
            std::size_t axes = 0;
            bool near = true;
            for (std::size_t axis = 0; axis < sides.size(); ++axis) {
                const NodeId p = coordinates[a][axis];
                const NodeId q = coordinates[b][axis];
                if (p == q) continue;
                ++axes;
                near = near && (p + 1 == q || q + 1 == p || (torus && (p + 1) % sides[axis] == q) ||
                                (torus && (q + 1) % sides[axis] == p));
            }
            if (axes == 1 && near) links.push_back({a, b});
        }
    }
    return {count, std::move(links)};
}

void expect_same(const Grid& grid, const Network& network, const std::string& what) {
    ASSERT_EQ(grid.node_count(), network.node_count()) << what;
    ASSERT_EQ(grid.link_count(), network.link_count()) << what;
    EXPECT_EQ(grid.degree_max(), network.degree_max()) << what;
    EXPECT_EQ(grid.degree_min(), network.degree_min()) << what;
    EXPECT_EQ(digest(grid), digest(network)) << what;
    for (NodeId node = 0; node < grid.node_count(); ++node) {
        ASSERT_EQ(grid.degree(node), network.degree(node)) << what << " node " << node;
        for (Port port = 0; port < grid.degree(node); ++port) {
            ASSERT_EQ(grid.neighbour(node, port), network.neighbour(node, port))
                << what << " node " << node << " port " << port;
            ASSERT_EQ(grid.link(node, port), network.link(node, port))
                << what << " node " << node << " port " << port;
        }
    }
    for (LinkId link = 0; link < grid.link_count(); ++link)
        ASSERT_EQ(grid.ends(link), network.ends(link)) << what << " link " << link;
}

TEST(Grid, AnswersEveryQueryAsTheStoredGraphForAllSidesUpToFourInUpToFourDimensions) {
    std::vector<std::vector<NodeId>> all = {{}};
    for (std::size_t from = 0, dimension = 1; dimension <= 4; ++dimension) {
        const std::size_t until = all.size();
        for (; from < until; ++from) {
            for (NodeId side = 1; side <= 4; ++side) {
                std::vector<NodeId> sides = all[from];
                sides.push_back(side);
                all.push_back(sides);
            }
        }
    }
    ASSERT_EQ(all.size(), 1U + 4 + 16 + 64 + 256);
    for (const std::vector<NodeId>& sides : all) {
        if (sides.empty()) continue;
        std::string what;
        for (const NodeId side : sides)
            what += std::to_string(side) + "x";
        expect_same(Grid(sides, Grid::Shape::mesh), stored(sides, false), "mesh " + what);
        expect_same(Grid(sides, Grid::Shape::torus), stored(sides, true), "torus " + what);
    }
}

TEST(Grid, AnswersEveryQueryAsTheStoredGraphForLongerSides) {
    const std::vector<std::vector<NodeId>> shapes = {{9},     {23},    {5, 7},    {7, 5},   {1, 11},
                                                     {11, 1}, {2, 13}, {5, 1, 6}, {6, 5, 2}};
    for (const std::vector<NodeId>& sides : shapes) {
        expect_same(Grid(sides, Grid::Shape::mesh), stored(sides, false), "mesh");
        expect_same(Grid(sides, Grid::Shape::torus), stored(sides, true), "torus");
    }
}

TEST(Grid, NumbersLinksConsistentlyWhereNodesFillThirtyTwoBits) {
    for (const Grid::Shape shape : {Grid::Shape::mesh, Grid::Shape::torus}) {
        const Grid grid({65535, 65535}, shape);
        EXPECT_GT(grid.link_count(), std::uint64_t{1} << 32U);
        for (const NodeId node : {NodeId{0}, NodeId{65534}, NodeId{65535}, NodeId{2147483648U},
                                  grid.node_count() - 65535, grid.node_count() - 1}) {
            for (Port port = 0; port < grid.degree(node); ++port) {
                const Ends ends = grid.ends(grid.link(node, port));
                const NodeId other = grid.neighbour(node, port);
                EXPECT_EQ(ends.tail, std::min(node, other));
                EXPECT_EQ(ends.head, std::max(node, other));
            }
        }
    }
}

TEST(Grid, RefusesSidesThatMakeNoGrid) {
    EXPECT_THROW(Grid({}, Grid::Shape::mesh), InputError);
    EXPECT_THROW(Grid({3, 0}, Grid::Shape::mesh), InputError);
    EXPECT_THROW(Grid({65536, 65536}, Grid::Shape::torus), InputError);
    EXPECT_THROW(Grid({4294967295U, 4294967295U, 4294967295U}, Grid::Shape::torus), InputError);
}

}  // namespace
}  // namespace equipoise::network
