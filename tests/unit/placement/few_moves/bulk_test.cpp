#include "equipoise/placement/few_moves/bulk.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/placement/few_moves/room_tree.hpp"
#include "tests/support/property.hpp"

namespace equipoise::placement {
namespace {

TEST(Falling, OrdersKeysOfEveryMagnitude) {
    EXPECT_TRUE(test::holds("falling, and all are there", [] {
        const auto size = *rc::gen::inRange<std::size_t>(0, 300);
        std::vector<float> keys;
        for (std::size_t i = 0; i < size; ++i)
            keys.push_back(static_cast<float>(*rc::gen::inRange(0, 1000)) *
                           *rc::gen::element(0.0F, 1e-30F, 1.0F, 1e30F));
        const std::vector<std::uint32_t> order = falling(keys);
        RC_ASSERT(std::set<std::uint32_t>(order.begin(), order.end()).size() == size);
        for (std::size_t i = 1; i < size; ++i)
            RC_ASSERT(keys[order[i - 1]] >= keys[order[i]]);
    }));
}

TEST(RoomTree, FindsTheFirstPlaceWithRoom) {
    EXPECT_TRUE(test::holds("as a scan does", [] {
        const auto places = *rc::gen::inRange<std::size_t>(1, 40);
        RoomTree tree(places);
        std::vector<Units> rooms(places);
        for (std::size_t place = 0; place < places; ++place) {
            rooms[place] = *rc::gen::inRange<Units>(-5, 20);
            tree.set(place, rooms[place]);
        }
        RC_ASSERT(tree.largest() == *std::max_element(rooms.begin(), rooms.end()));
        const auto first = *rc::gen::inRange<std::size_t>(0, places + 1);
        const auto last = *rc::gen::inRange<std::size_t>(first, places + 1);
        const auto size = *rc::gen::inRange<Units>(0, 25);
        std::size_t expected = first;
        while (expected < last && rooms[expected] < size)
            ++expected;
        RC_ASSERT(tree.first_with(size, first, last) ==
                  (expected < last ? expected : RoomTree::nowhere));
    }));
}

TEST(Allot, GivesNoRoomTwiceAndPrefersTheOwnMachine) {
    EXPECT_TRUE(test::holds("rooms are shared, machines come first", [] {
        const auto ranks = *rc::gen::inRange<std::size_t>(2, 12);
        std::vector<Units> loads;
        std::vector<int> machine;
        for (std::size_t r = 0; r < ranks; ++r) {
            loads.push_back(*rc::gen::inRange<Units>(0, 1000));
            machine.push_back(*rc::gen::inRange(0, 3));
        }
        const std::vector<double> speeds(ranks, 1);
        const Capacity capacity(1, speeds, loads, std::vector<Units>(ranks, 0));
        const double level = *rc::gen::element(1.0, 1.2, 2.0);
        std::map<int, Units> taken;
        for (const Allotment& allotment : allot(capacity, loads, level, machine)) {
            const auto from = static_cast<std::size_t>(allotment.from);
            const auto to = static_cast<std::size_t>(allotment.to);
            RC_ASSERT(allotment.room > 0);
            RC_ASSERT(loads[from] > capacity.cap(from, 0, level));
            RC_ASSERT(allotment.between_machines || machine[from] == machine[to]);
            taken[allotment.to] += allotment.room;
        }
        for (const auto& [rank, room] : taken) {
            const auto to = static_cast<std::size_t>(rank);
            RC_ASSERT(room <= capacity.cap(to, 0, level) - loads[to]);
        }
    }));
}

}  // namespace
}  // namespace equipoise::placement
