// Stretches of links are the links of the grid among a part's nodes, each once.

#include "equipoise/engine/kernels/grid_links.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"

namespace equipoise::engine {
namespace {

std::vector<network::Grid> small_grids() {
    using Shape = network::Grid::Shape;
    std::vector<network::Grid> grids;
    for (const Shape shape : {Shape::mesh, Shape::torus})
        for (const std::vector<NodeId>& sides : {std::vector<NodeId>{1},
                                                 {2},
                                                 {5},
                                                 {3, 4},
                                                 {4, 3},
                                                 {2, 5},
                                                 {5, 1},
                                                 {3, 2, 4},
                                                 {3, 3, 3}})
            grids.emplace_back(sides, shape);
    return grids;
}

/// The links among nodes first .. last-1, by the grid's own rows.
std::vector<Ends> links_among(const network::Grid& grid, NodeId first, NodeId last) {
    std::vector<Ends> links;
    for (NodeId node = first; node < last; ++node)
        for (Port port = 0; port < grid.degree(node); ++port)
            if (const NodeId other = grid.neighbour(node, port); other > node && other < last)
                links.push_back({node, other});
    std::sort(links.begin(), links.end());
    return links;
}

TEST(GridLinks, AreVisitedOnceEachOnAllPartsOfSmallGrids) {
    for (const network::Grid& grid : small_grids())
        for (NodeId first = 0; first < grid.node_count(); ++first)
            for (NodeId last = first + 1; last <= grid.node_count(); ++last) {
                const GridPart part = {grid, first, last - first};
                std::vector<Ends> found;
                part.for_each_stretch(
                    0, part.count, [&](NodeId tail, NodeId distance, NodeId links) {
                        for (NodeId i = 0; i < links; ++i)
                            found.push_back({first + tail + i, first + tail + i + distance});
                    });
                std::sort(found.begin(), found.end());
                ASSERT_EQ(found, links_among(grid, first, last));
            }
}

TEST(GridLinks, ShowTheLargestDifferenceAndWhereOneIsSteep) {
    RandomStream random(5, Purpose::loads);
    for (const network::Grid& grid : small_grids())
        for (int round = 0; round < 20; ++round) {
            const auto first = static_cast<NodeId>(random.below(grid.node_count()));
            const GridPart part = {grid, first, grid.node_count() - first};
            load::Loads loads(part.count);
            for (Tokens& load : loads)
                load = static_cast<Tokens>(random.below(round % 2 == 0 ? 2 : 5));
            Tokens largest = 0;
            std::vector<bool> steep(part.count);
            for (const auto& [tail, head] : links_among(grid, first, grid.node_count())) {
                const Tokens apart = std::abs(loads[tail - first] - loads[head - first]);
                largest = std::max(largest, apart);
                if (apart > 1) steep[tail - first] = true;
            }
            for (const Width width : {Width::eight, Width::four, Width::two}) {
                load::Loads same = loads;
                repack(same, Width::eight, width);
                EXPECT_EQ(largest_difference(part, packed(same, width)), largest);
                const auto found = steep_node(part, packed(same, width), part.count / 2);
                ASSERT_EQ(found.has_value(), largest > 1);
                if (found) {
                    EXPECT_TRUE(steep[*found]);
                }
            }
        }
}

}  // namespace
}  // namespace equipoise::engine
