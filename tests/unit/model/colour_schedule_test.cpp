#include "equipoise/model/run/colour_schedule.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/network/grid.hpp"

namespace equipoise::model {
namespace {

std::vector<Ends> list(std::span<const Ends> links) {
    return {links.begin(), links.end()};
}

TEST(ColourSchedule, TakesTheClassesInTurnInAscendingOrderOfLinks) {
    const network::Network star(4, {{0, 3}, {0, 1}, {0, 2}});
    const auto schedule = colour_schedule(star, {3, {1, 2, 0}});
    EXPECT_EQ(schedule.period(), 3U);
    EXPECT_EQ(schedule.slot_count(), 3U);
    EXPECT_TRUE(schedule.disjoint());
    EXPECT_EQ(list(schedule.links(3)), (std::vector<Ends>{{0, 3}}));
    EXPECT_EQ(list(schedule.links(1)), (std::vector<Ends>{{0, 1}}));
    EXPECT_EQ(list(schedule.links(5)), (std::vector<Ends>{{0, 2}}));
    EXPECT_EQ(schedule.first_slot(5), 2U);
}

TEST(ColourSchedule, RefusesColouringsThatAreNotProper) {
    const network::Network path(3, {{0, 1}, {1, 2}});
    EXPECT_THROW((void)colour_schedule(path, {1, {0, 0}}), InputError);
}

TEST(AllLinks, ListsTheLinksOfStoredAndImplicitNetworksInTheirOrder) {
    const network::Network cycle(4, {{0, 1}, {1, 3}, {2, 3}, {0, 2}});
    const network::Grid grid({2, 2}, network::Grid::Shape::mesh);
    const AllLinks stored(cycle);
    const AllLinks computed(grid);
    EXPECT_EQ(list(stored.links(0)), (std::vector<Ends>{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
    EXPECT_EQ(list(computed.links(7)), list(stored.links(7)));
    EXPECT_EQ(stored.period(), 1U);
    EXPECT_FALSE(stored.disjoint());
    EXPECT_EQ(stored.slot_count(), 4U);
}

}  // namespace
}  // namespace equipoise::model
