#include "equipoise/model/run/grid_schedule.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"

namespace equipoise::model {
namespace {

using network::Grid;

/// The links of a step, row after row, with their slots checked to follow each other.
std::vector<Ends> links_of(const GridSchedule& schedule, Step step, std::uint64_t& next_slot) {
    std::vector<Ends> links;
    for (std::uint64_t index = 0; index < schedule.row_count(step); ++index) {
        const LinkRow row = schedule.row(step, index);
        EXPECT_GT(row.count, 0U);
        EXPECT_EQ(row.slot, next_slot);
        next_slot += row.count;
        for (NodeId i = 0; i < row.count; ++i)
            links.push_back({row.tail + i * row.stride, row.head + i * row.stride});
    }
    return links;
}

/// A round activates every link once; the links of a step share no node and ascend.
void check(const Grid& grid, Step colours_max) {
    const GridSchedule schedule(grid);
    EXPECT_LE(schedule.period(), colours_max);
    std::set<Ends> all;
    for (LinkId link = 0; link < grid.link_count(); ++link)
        all.insert(grid.ends(link));
    std::uint64_t next_slot = 0;
    for (Step step = 0; step < schedule.period(); ++step) {
        std::set<NodeId> nodes;
        Ends before{0, 0};
        for (const Ends& ends : links_of(schedule, step, next_slot)) {
            EXPECT_LT(before, ends);
            before = ends;
            EXPECT_EQ(all.erase(ends), 1U) << ends.tail << "-" << ends.head;
            EXPECT_TRUE(nodes.insert(ends.tail).second);
            EXPECT_TRUE(nodes.insert(ends.head).second);
        }
        EXPECT_FALSE(nodes.empty());
    }
    EXPECT_TRUE(all.empty());
    EXPECT_EQ(next_slot, grid.link_count());
    EXPECT_EQ(schedule.slot_count(), grid.link_count());
}

TEST(GridSchedule, ActivatesEveryLinkOnceARoundInMatchingsOfAscendingLinks) {
    for (const auto shape : {Grid::Shape::mesh, Grid::Shape::torus})
        for (NodeId a = 1; a <= 7; ++a) {
            check(Grid({a}, shape), 3);
            for (NodeId b = 1; b <= 6; ++b) {
                check(Grid({a, b}, shape), 6);
                for (NodeId c = 1; c <= 4; ++c)
                    check(Grid({a, b, c}, shape), 9);
            }
        }
}

TEST(GridSchedule, HasTheClassesOfTheNaturalColouring) {
    for (const auto shape : {Grid::Shape::mesh, Grid::Shape::torus})
        for (NodeId a = 1; a <= 6; ++a)
            for (NodeId b = 1; b <= 6; ++b) {
                const Grid grid({a, 2, b}, shape);
                const GridSchedule schedule(grid);
                const auto listed = colour_schedule(grid, network::colour_grid(grid));
                ASSERT_EQ(schedule.period(), listed.period());
                std::uint64_t next_slot = 0;
                for (Step step = 0; step < schedule.period(); ++step) {
                    ASSERT_EQ(listed.first_slot(step), next_slot);
                    const std::span<const Ends> links = listed.links(step);
                    ASSERT_EQ(links_of(schedule, step, next_slot),
                              std::vector<Ends>(links.begin(), links.end()));
                }
            }
}

TEST(GridSchedule, CutsLongRows) {
    check(Grid({50001}, Grid::Shape::torus), 3);
    check(Grid({3, 20000}, Grid::Shape::torus), 5);
    const GridSchedule schedule(Grid({40000}, Grid::Shape::torus));
    EXPECT_GE(schedule.row_count(0), 3U);
}

TEST(GridSchedule, UsesFourColoursOnToriOfEvenSides) {
    EXPECT_EQ(GridSchedule(Grid({4, 6}, Grid::Shape::torus)).period(), 4U);
    EXPECT_EQ(GridSchedule(Grid({5, 6}, Grid::Shape::torus)).period(), 5U);
    EXPECT_EQ(GridSchedule(Grid({2, 2}, Grid::Shape::torus)).period(), 2U);
    EXPECT_EQ(GridSchedule(Grid({1, 1}, Grid::Shape::mesh)).period(), 0U);
}

}  // namespace
}  // namespace equipoise::model
