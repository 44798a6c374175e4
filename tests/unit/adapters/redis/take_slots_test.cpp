// The slots of a cluster as a problem of reassignment, and what people are told beforehand.

#include "equipoise/adapters/redis/take_slots.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/reassign/input/tables.hpp"
#include "equipoise/reassign/problem.hpp"
#include "tests/support/names.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::redis {
namespace {

using reassign::Columns;
using reassign::Problem;
using reassign::ReadTables;
using Texts = std::vector<std::string>;

const std::string url = "redis://h:7001";

/// Of two masters the first one has slots 0 to 9, of which slot 3 holds 20 keys with 2000 bytes.
Holdings two_masters() {
    Holdings holdings;
    holdings.cluster.masters = {{"a", {"h", 7001}, 1, {}}, {"b", {"h", 7002}, 2, {}}};
    holdings.cluster.owners.assign(slot_count, 1);
    for (std::size_t slot = 0; slot < 10; ++slot)
        holdings.cluster.owners[slot] = 0;
    holdings.sizes.keys.assign(slot_count, 0);
    holdings.sizes.bytes.assign(slot_count, 0);
    holdings.sizes.keys[3] = 20;
    holdings.sizes.bytes[3] = 2000;
    holdings.sizes.keys[10] = 4;
    holdings.sizes.bytes[10] = 100;
    holdings.sizes.sampled = 6;
    holdings.sizes.error = {0, 0};
    holdings.states.resize(2);
    holdings.states[0].keys = 20;
    holdings.states[1].keys = 4;
    for (MasterState& state : holdings.states)
        state.saves_always = true;
    return holdings;
}

struct Taken {
    Problem problem;
    ReadTables read;
};

Taken taken(const Holdings& holdings, const Columns& columns = {}) {
    Taken taken;
    take_slots(holdings, url, columns, taken.problem, taken.read);
    no_machine_limits(taken.problem);
    return taken;
}

TEST(SlotsAsItems, HaveOneResourceEachOfSlotsKeysAndBytes) {
    const auto [problem, read] = taken(two_masters());
    EXPECT_EQ(read.items_file, url);
    EXPECT_EQ(problem.things.size(), slot_count);
    EXPECT_EQ(problem.things.name(16383), "16383");
    EXPECT_EQ(test::names_of(problem.machines), (Texts{"h:7001", "h:7002"}));
    ASSERT_EQ(problem.resources.size(), 3U);
    EXPECT_EQ(problem.resources[0].name, "slots");
    EXPECT_EQ(problem.resources[1].name, "keys");
    EXPECT_EQ(problem.resources[2].name, "bytes");
    EXPECT_TRUE(problem.resources[2].in_bytes);
    EXPECT_EQ(problem.places[9], 0U);
    EXPECT_EQ(problem.places[10], 1U);
    EXPECT_EQ((std::vector<Tokens>(problem.amounts.begin() + 9, problem.amounts.begin() + 12)),
              (std::vector<Tokens>{1, 20, 2000}));
    EXPECT_EQ(problem.amounts.size(), 3U * slot_count);
    problem.check();
}

TEST(SlotsAsItems, AreCalledItemsToo) {
    const Taken slots = taken(two_masters());
    for (const char* const name : {"slots", "items", "moves", "Slots"})
        EXPECT_EQ(find_resource(slots.problem, name), reassign::items_resource) << name;
    Columns columns;
    for (const char* const name : {"slots", "items", "KEYS", "bytes"})
        columns.resources.push_back({name, "--level"});
    EXPECT_EQ(taken(two_masters(), columns).problem.resources.size(), 3U);
}

TEST(SlotsAsItems, HaveNoOtherColumns) {
    const auto refusal = [](const Columns& columns) {
        return test::thrown_by([&] { static_cast<void>(taken(two_masters(), columns)); });
    };
    const std::string begin = "input: redis://h:7001: expected a column \"";
    Columns resources;
    resources.resources = {{"cpu", "--level"}};
    EXPECT_EQ(refusal(resources),
              begin +
                  "cpu\", which --level names, found slots, whose resources are slots, keys and "
                  "bytes");
    Columns labels;
    labels.item_labels = {{"Item", "--apart"}, {"rack", "--apart"}};
    EXPECT_EQ(refusal(labels),
              begin + "rack\", which --apart names, found slots, whose label is item");
    Columns depends;
    depends.depends = true;
    EXPECT_EQ(refusal(depends),
              begin + "depends\", which --near names, found slots, whose label is item");
    Columns cost;
    cost.cost = {"price", "--objective"};
    EXPECT_EQ(refusal(cost),
              begin + "price\", which --objective names, found slots, whose label is item");
    Columns either;
    either.labels = {{"item", "--labels"}, {"rack", "--labels"}};
    EXPECT_EQ(taken(two_masters(), either).read.labels_found, (std::vector<bool>{true, false}));
}

TEST(SlotsAsItems, NeedMastersWithDifferentAddresses) {
    Holdings holdings = two_masters();
    holdings.cluster.masters[1].address = holdings.cluster.masters[0].address;
    EXPECT_EQ(test::thrown_by([&] { static_cast<void>(taken(holdings)); }),
              "input: redis://h:7001: expected an address of its own for each master, found fewer");
}

TEST(LimitsOfMemory, LeaveRoomForWhatIsNotKeys) {
    Holdings holdings = two_masters();
    holdings.states[0].memory_max = 10'000;
    holdings.states[0].memory_used = 2'500;  // 500 of which are not the keys'
    Taken slots = taken(holdings);
    set_memory_limits(holdings, slots.problem);
    EXPECT_EQ(slots.problem.capacities[2], 9'500);
    EXPECT_EQ(slots.problem.capacities[0], tokens_max);
    EXPECT_EQ(slots.problem.capacities[1], tokens_max);
    EXPECT_EQ(slots.problem.capacities[5], tokens_max);  // the other master has no limit
}

TEST(LimitsOfMemory, AreTheSmallerOnesAndNeverNegative) {
    Holdings holdings = two_masters();
    holdings.states[0].memory_max = 10'000;
    holdings.states[0].memory_used = 50;  // less than the estimate of its keys
    holdings.states[1].memory_max = 10;
    holdings.states[1].memory_used = 400;
    Taken slots = taken(holdings);
    slots.problem.capacities[2] = 3'000;
    set_memory_limits(holdings, slots.problem);
    EXPECT_EQ(slots.problem.capacities[2], 3'000);
    EXPECT_EQ(slots.problem.capacities[5], 0);
    slots.problem.capacities[2] = 30'000;
    set_memory_limits(holdings, slots.problem);
    EXPECT_EQ(slots.problem.capacities[2], 10'000);
}

TEST(NotesOnACluster, SayOfHowManyKeysBytesWereRead) {
    EXPECT_EQ(notes_of(two_masters()), Texts{"bytes are those of 6 keys of 24"});
    Holdings holdings = two_masters();
    holdings.sizes.error = {0.01, 0.0421};
    EXPECT_EQ(notes_of(holdings),
              Texts{"bytes are those of 6 keys of 24, and a master's may be off by 4.3 %"});
}

TEST(NotesOnACluster, SayWhatElseIsToKnow) {
    Holdings holdings = two_masters();
    holdings.states[1].keys = 1'004;
    EXPECT_EQ(notes_of(holdings).back(),
              "h:7002 holds about 1,000 keys of slots that are not its own, which no client finds");
    // They may be those of an open slot.
    holdings.cluster.open.resize(1);
    EXPECT_EQ(notes_of(holdings),
              (Texts{"bytes are those of 6 keys of 24",
                     "1 open slot, which somebody began to move; --execute finishes or closes them "
                     "first"}));
    holdings.states[1].saves_always = false;
    EXPECT_EQ(notes_of(holdings).back(),
              "a master that crashes loses what it has not yet written to disk, keys that it just "
              "took among them; appendonly yes with appendfsync always loses nothing");
}

}  // namespace
}  // namespace equipoise::redis
