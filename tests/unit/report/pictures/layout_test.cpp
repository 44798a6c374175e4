#include "equipoise/report/pictures/layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/network/network.hpp"
#include "equipoise/report/pictures/force_layout.hpp"
#include "equipoise/report/pictures/tree_layout.hpp"
#include "tests/support/sample_records.hpp"

namespace equipoise::report {
namespace {

using network::Position;

double closest(const std::vector<Position>& positions) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < positions.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            least = std::min(least, std::hypot(positions[a].x - positions[b].x,
                                               positions[a].y - positions[b].y));
    return least;
}

bool all_finite(const std::vector<Position>& positions) {
    return std::all_of(positions.begin(), positions.end(), [](const Position& point) {
        return std::isfinite(point.x) && std::isfinite(point.y);
    });
}

Position difference(const Position& from, const Position& to) {
    return {to.x - from.x, to.y - from.y};
}

/// The distance of a point from a straight line between two others.
double distance_from_link(const Position& point, const Position& tail, const Position& head) {
    const Position along = difference(tail, head);
    const Position off = difference(tail, point);
    const double part = std::clamp(
        (along.x * off.x + along.y * off.y) / (along.x * along.x + along.y * along.y), 0.0, 1.0);
    return std::hypot(off.x - part * along.x, off.y - part * along.y);
}

/// Width and height.
Position extent_of(const std::vector<Position>& positions) {
    Position least = positions.front();
    Position most = least;
    for (const Position& point : positions) {
        least = {std::min(least.x, point.x), std::min(least.y, point.y)};
        most = {std::max(most.x, point.x), std::max(most.y, point.y)};
    }
    return difference(least, most);
}

/// The i-th graph on `nodes` nodes: bit k of i says whether the k-th pair is linked.
std::vector<Ends> links_of_bits(NodeId nodes, std::uint32_t bits) {
    std::vector<Ends> links;
    std::uint32_t pair = 0;
    for (NodeId a = 0; a < nodes; ++a)
        for (NodeId b = a + 1; b < nodes; ++b, ++pair)
            if (((bits >> pair) & 1U) != 0) links.push_back({a, b});
    return links;
}

TEST(Layout, KeepsAllNodesOfAllGraphsUpToFiveNodesApart) {
    for (NodeId nodes = 1; nodes <= 5; ++nodes) {
        for (std::uint32_t bits = 0; bits < (1U << (nodes * (nodes - 1) / 2)); ++bits) {
            const std::vector<Ends> links = links_of_bits(nodes, bits);
            const Drawing drawing = draw_network({}, nodes, links);
            ASSERT_EQ(drawing.positions.size(), nodes);
            ASSERT_TRUE(all_finite(drawing.positions)) << nodes << " nodes, graph " << bits;
            if (nodes > 1) {
                ASSERT_GT(closest(drawing.positions), 0.2) << nodes << " nodes, graph " << bits;
            }
        }
    }
}

TEST(Layout, GivesTheSamePositionsForTheSameNetwork) {
    const test::SampleRun run = test::grid_sample("torus:15x15", 1);
    const network::Network network(run.node_count, run.links);
    EXPECT_EQ(force_layout(network), force_layout(network));
}

TEST(Layout, PutsLinkedNodesOfALargeMeshNearerThanOthers) {
    const test::SampleRun run = test::grid_sample("mesh:40x40", 1);
    const std::vector<Position> at = force_layout(network::Network(run.node_count, run.links));
    ASSERT_TRUE(all_finite(at));
    const auto distance = [&](NodeId a, NodeId b) {
        return std::hypot(at[a].x - at[b].x, at[a].y - at[b].y);
    };
    double linked = 0;
    for (const Ends& link : run.links)
        linked += distance(link.tail, link.head);
    linked /= static_cast<double>(run.links.size());
    double any = 0;
    for (NodeId node = 0; node < run.node_count; ++node)
        any += distance(node, (node + run.node_count / 2) % run.node_count);
    any /= run.node_count;
    EXPECT_LT(8 * linked, any);
}

TEST(Layout, SetsComponentsSideBySide) {
    std::vector<Ends> links;
    for (NodeId first : {0U, 10U, 20U})
        for (NodeId a = first; a < first + 10; ++a)
            for (NodeId b = a + 1; b < first + 10; b += 2)
                links.push_back({a, b});
    const std::vector<Position> at = force_layout(network::Network(32, links));
    ASSERT_TRUE(all_finite(at));
    EXPECT_GT(closest(at), 0.1);
}

TEST(Layout, StaysFiniteWhereAllDistancesAreEqual) {
    std::vector<Ends> links;
    for (NodeId a = 0; a < 60; ++a)
        for (NodeId b = a + 1; b < 60; ++b)
            if (a + 1 != b) links.push_back({a, b});
    const std::vector<Position> at = force_layout(network::Network(60, links));
    EXPECT_TRUE(all_finite(at));
    EXPECT_GT(closest(at), 0.05);
}

TEST(Layout, DrawsABinaryTreeInLayersWithParentsInTheMiddle) {
    const test::SampleRun run = test::tree_sample(2, 4, 1);
    const Drawing drawing = draw_network({}, run.node_count, run.links);
    EXPECT_EQ(drawing.origin, "tree");
    for (NodeId node = 0; 2 * node + 2 < run.node_count; ++node) {
        const Position& left = drawing.positions[2 * node + 1];
        const Position& right = drawing.positions[2 * node + 2];
        EXPECT_DOUBLE_EQ(left.y, right.y);
        EXPECT_GT(left.y, drawing.positions[node].y);
        EXPECT_DOUBLE_EQ((left.x + right.x) / 2, drawing.positions[node].x);
    }
}

TEST(Layout, LaysWhatWouldBeHighAndNarrowOnItsSide) {
    const test::SampleRun grid = test::grid_sample("mesh:20x2", 1);
    const Drawing rows = draw_network(grid.labels, 40, grid.links);
    EXPECT_EQ(extent_of(rows.positions), (Position{19, 1}));
    EXPECT_EQ(rows.positions[7], (Position{3, 1}));
    // Three legs of six nodes.
    std::vector<Ends> legs;
    for (NodeId node = 1; node <= 18; ++node)
        legs.push_back({node <= 3 ? 0 : node - 3, node});
    const Drawing tree = draw_network({}, 19, legs);
    EXPECT_EQ(tree.origin, "tree");
    EXPECT_EQ(extent_of(tree.positions), (Position{6, 2}));
}

TEST(Layout, DrawsNoLayersForNetworksThatAreNotTrees) {
    // A triangle and a lone node have the number of links of a tree.
    EXPECT_TRUE(tree_layout(network::Network(4, {{0, 1}, {1, 2}, {0, 2}})).empty());
}

TEST(Layout, DrawsAPathAsALineAndACycleAsACircle) {
    const Drawing path = draw_network({}, 4, std::vector<Ends>{{2, 0}, {0, 3}, {3, 1}});
    EXPECT_EQ(path.origin, "path");
    EXPECT_DOUBLE_EQ(path.positions[1].x, 0);
    EXPECT_DOUBLE_EQ(path.positions[3].x, 1);
    EXPECT_DOUBLE_EQ(path.positions[0].x, 2);
    EXPECT_DOUBLE_EQ(path.positions[2].x, 3);

    std::vector<Ends> ring = {{0, 99}};
    for (NodeId node = 1; node < 100; ++node)
        ring.push_back({node - 1, node});
    const Drawing cycle = draw_network({}, 100, ring);
    EXPECT_EQ(cycle.origin, "cycle");
    for (const Position& point : cycle.positions)
        EXPECT_NEAR(std::hypot(point.x, point.y), 1, 1e-9);
}

/// A path of `line` nodes with `legs` leaves at every `every`-th of them.
std::vector<Ends> line_with_legs(NodeId line, NodeId every, NodeId legs) {
    std::vector<Ends> links;
    for (NodeId node = 1; node < line; ++node)
        links.push_back({node - 1, node});
    NodeId leaf = line;
    for (NodeId node = 0; node < line; node += every)
        for (NodeId leg = 0; leg < legs; ++leg)
            links.push_back({node, leaf++});
    return links;
}

TEST(Layout, DrawsATreeThatIsNearlyAPathAsALineWithBranches) {
    // A node beside the path does not make two long legs of it.
    std::vector<Ends> links = line_with_legs(20, 20, 0);
    links.push_back({5, 20});
    const Drawing drawing = draw_network({}, 21, links);
    EXPECT_EQ(drawing.origin, "path with branches");
    EXPECT_EQ(extent_of(drawing.positions), (Position{19, 1}));
    EXPECT_EQ(drawing.positions[20], (Position{5, 1}));
    EXPECT_NE(draw_network({}, 7, test::tree_sample(2, 2, 1).links).origin, "path with branches");
}

TEST(Layout, RunsLongLinesBackAndForthAndLeavesNoHole) {
    struct Case {
        NodeId line, every, legs;
    };
    for (const auto [line, every, legs] :
         {Case{30, 1, 0}, Case{60, 3, 1}, Case{200, 7, 2}, Case{1000, 1, 0}, Case{500, 1, 3}}) {
        const std::vector<Ends> links = line_with_legs(line, every, legs);
        const std::vector<Position> at =
            draw_network({}, static_cast<NodeId>(links.size() + 1), links).positions;
        const Position extent = extent_of(at);
        EXPECT_GT(extent.x, 1.1 * extent.y) << line;
        EXPECT_LT(extent.x, 4 * extent.y) << line;
        EXPECT_GT(closest(at), 0.99) << line;
        for (NodeId node = 0; node < at.size() && at.size() < 300; ++node)
            for (const Ends& link : links) {
                if (node == link.tail || node == link.head) continue;
                ASSERT_GT(distance_from_link(at[node], at[link.tail], at[link.head]), 0.3)
                    << line << ": node " << node << " on " << link.tail << '-' << link.head;
            }
    }
}

TEST(Layout, DrawsGridsOfASpecAndLargeOnesAsCells) {
    const test::SampleRun small = test::grid_sample("torus:3x5", 1);
    const Drawing points = draw_network(small.labels, 15, small.links);
    EXPECT_EQ(points.kind, DrawingKind::points);
    EXPECT_TRUE(points.wraps);
    EXPECT_EQ(points.positions[7], (Position{2, 1}));

    network::Labels labels;
    labels.origin = "mesh:100x30";
    const Drawing cells = draw_network(labels, 3000, {});
    EXPECT_EQ(cells.kind, DrawingKind::cells);
    EXPECT_EQ(cells.rows, 100U);
    EXPECT_EQ(cells.columns, 30U);
}

std::vector<Ends> hypercube_links(NodeId dimensions) {
    std::vector<Ends> links;
    for (NodeId node = 0; node >> dimensions == 0; ++node)
        for (NodeId bit = 1; bit >> dimensions == 0; bit *= 2)
            if ((node & bit) == 0) links.push_back({node, node | bit});
    return links;
}

TEST(Layout, GivesEveryDimensionOfAHypercubeADirectionOfItsOwn) {
    for (NodeId dimensions = 2; dimensions <= 14; ++dimensions) {
        const std::vector<Ends> links = hypercube_links(dimensions);
        const Drawing drawing = draw_network({}, NodeId{1} << dimensions, links);
        ASSERT_EQ(drawing.origin, "hypercube");
        const std::vector<Position>& at = drawing.positions;
        std::vector<double> angles;
        for (NodeId bit = 1; bit < at.size(); bit *= 2) {
            const Position along = difference(at[0], at[bit]);
            angles.push_back(std::atan2(along.y, along.x));
        }
        for (const Ends& link : links) {
            const Position along = difference(at[link.tail], at[link.head]);
            const Position first = difference(at[0], at[link.tail ^ link.head]);
            ASSERT_NEAR(along.x, first.x, 1e-6);
            ASSERT_NEAR(along.y, first.y, 1e-6);
        }
        for (std::size_t a = 0; a < angles.size(); ++a)
            for (std::size_t b = 0; b < a; ++b)
                EXPECT_GT(std::abs(std::sin(angles[a] - angles[b])), 0.02)
                    << dimensions << " dimensions, " << b << " and " << a;
    }
}

TEST(Layout, DrawsHypercubesOfUpToSixDimensionsWithNodesOffAllOtherLinks) {
    for (NodeId dimensions = 2; dimensions <= 6; ++dimensions) {
        const std::vector<Ends> links = hypercube_links(dimensions);
        const std::vector<Position> at = draw_network({}, NodeId{1} << dimensions, links).positions;
        double least = std::numeric_limits<double>::infinity();
        double extent = 0;
        for (NodeId node = 0; node < at.size(); ++node) {
            extent = std::max({extent, std::abs(at[node].x - at[0].x), std::abs(at[node].y)});
            for (const Ends& link : links)
                if (node != link.tail && node != link.head)
                    least =
                        std::min(least, distance_from_link(at[node], at[link.tail], at[link.head]));
        }
        // On a picture 500 pixels wide a node may have a radius of 11 pixels.
        EXPECT_GT(500 * least, 11 * extent) << dimensions;
    }
}

TEST(Layout, TakesNoOtherNetworkForAHypercube) {
    network::Labels labels;
    labels.origin = "hypercube:d=2";
    EXPECT_NE(draw_network(labels, 4, std::vector<Ends>{{0, 1}, {1, 2}, {2, 3}}).origin,
              "hypercube");
    std::vector<Ends> links = hypercube_links(3);
    links.back() = {0, 7};
    EXPECT_NE(draw_network({}, 8, links).origin, "hypercube");
}

TEST(Layout, TrustsNoSpecThatDoesNotFitTheNetwork) {
    network::Labels labels;
    for (const std::string origin : {"mesh:4x5", "mesh:", "torus:axb", "torus:99999999x99999999"}) {
        labels.origin = origin;
        EXPECT_TRUE(grid_sides(labels, 6).empty()) << origin;
    }
}

TEST(Layout, RanksNetworksTooLargeToDraw) {
    EXPECT_EQ(draw_network({}, drawn_nodes_max + 1, {}).kind, DrawingKind::ranks);
}

TEST(Layout, TakesPositionsOfTheFileAndPartsNodesAtTheSamePlace) {
    network::Labels labels;
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    labels.positions = {{-100, 60}, {-80, 60}, {-80, 60}, {unknown, unknown}};
    const Drawing drawing = draw_network(labels, 4, std::vector<Ends>{{0, 1}, {1, 2}, {2, 3}});
    EXPECT_EQ(drawing.origin, "positions from the file");
    EXPECT_TRUE(all_finite(drawing.positions));
    EXPECT_GT(closest(drawing.positions), 0.01);
    // At 60 degrees north a degree of longitude is half as long as one of latitude.
    EXPECT_NEAR(drawing.positions[0].x, -50, 1e-9);
    EXPECT_LT(draw_network(labels, 4, {}).positions[0].y, 0) << "north is at the top";
}

}  // namespace
}  // namespace equipoise::report
