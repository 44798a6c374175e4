// What is done about slots that somebody left on their way.

#include "equipoise/adapters/redis/open_slots.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/redis_model.hpp"
#include "tests/support/redis_mover.hpp"

namespace equipoise::redis {
namespace {

using test::RedisModel;
using Keys = std::vector<std::uint64_t>;
using Kind = Remedy::Kind;

constexpr std::uint16_t open_slot = 5;

/// The owner is master 0.
OpenSlot open_slot_with(std::vector<MasterId> migrating_to, std::vector<MasterId> importing) {
    OpenSlot open;
    open.slot = open_slot;
    open.owner = 0;
    if (!migrating_to.empty()) open.migrating = {0};
    open.migrating_to = std::move(migrating_to);
    open.importing = std::move(importing);
    return open;
}

std::string told(const Remedy& remedy) {
    const std::string to = remedy.to == no_master ? std::string() : ' ' + std::to_string(remedy.to);
    switch (remedy.kind) {
        case Kind::close:
            return "close" + to;
        case Kind::claim:
            return "claim" + to;
        case Kind::finish:
            return "finish" + to;
        case Kind::leave:
            return "leave" + to;
    }
    return "";
}

TEST(RemediesOfOpenSlots, AreByFlagsAndKeys) {
    struct Case {
        std::vector<MasterId> migrating_to, importing;
        Keys keys;
        std::string remedy;
    };
    const auto cases = std::to_array<Case>({
        {{}, {1}, {3, 0, 0}, "close"},
        {{}, {1}, {0, 0, 0}, "close"},
        {{}, {1, 2}, {3, 0, 0}, "close"},
        {{1}, {}, {3, 0, 0}, "finish 1"},
        {{1}, {1}, {0, 0, 0}, "finish 1"},
        {{no_master}, {}, {3, 0, 0}, "close"},
        {{0}, {}, {3, 0, 0}, "close"},
        {{1}, {1}, {3, 2, 0}, "finish 1"},
        {{}, {1}, {3, 2, 0}, "finish 1"},
        {{}, {}, {0, 2, 0}, "finish 1"},
        {{no_master}, {}, {3, 0, 2}, "finish 2"},
        {{1}, {1}, {3, 0, 2}, "finish 2"},
        {{1}, {1, 2}, {0, 0, 2}, "finish 2"},
        {{1}, {1}, {3, 2, 1}, "leave"},
        {{}, {1, 2}, {0, 2, 1}, "leave"},
    });
    for (const auto& each : cases)
        EXPECT_EQ(told(remedy_of(open_slot_with(each.migrating_to, each.importing), each.keys)),
                  each.remedy);
}

TEST(RemediesOfOpenSlots, ThatTheirOwnerGaveAwayAreToClaimThem) {
    OpenSlot open = open_slot_with({}, {1});
    open.owner = open.given_to = 1;
    for (const Keys& keys : {Keys{0, 2, 0}, Keys{0, 0, 0}})
        EXPECT_EQ(told(remedy_of(open, keys)), "claim 1");
}

TEST(RemediesOfOpenSlots, SayWhyTheyAreLeft) {
    const Remedy remedy = remedy_of(open_slot_with({1}, {1}), {0, 2, 1});
    EXPECT_EQ(remedy.why, "several masters besides its owner hold keys of it");
}

TEST(RemediesOfOpenSlots, NeverCloseWhereAnotherHoldsKeysAndNeverFinishAtTheOwner) {
    for (int number = 0; number < 256; ++number) {
        const auto bit = [&](int at) { return ((number >> at) & 1) == 1; };
        std::vector<MasterId> to;
        if (bit(0)) to = {bit(1) ? MasterId{1} : MasterId{2}};
        if (bit(0) && bit(2)) to = {no_master};
        std::vector<MasterId> importing;
        for (const MasterId master : {1U, 2U})
            if (bit(2 + static_cast<int>(master))) importing.push_back(master);
        const Keys keys = {bit(5) ? 4U : 0U, bit(6) ? 4U : 0U, bit(7) ? 4U : 0U};
        const Remedy remedy = remedy_of(open_slot_with(to, importing), keys);
        EXPECT_FALSE(remedy.kind == Kind::close && keys[1] + keys[2] > 0) << number;
        EXPECT_EQ(remedy.kind == Kind::leave, keys[1] > 0 && keys[2] > 0) << number;
        EXPECT_EQ(remedy.why.empty(), remedy.kind != Kind::leave) << number;
        if (remedy.kind == Kind::finish) {
            EXPECT_NE(remedy.to, 0U) << number;
            EXPECT_LT(remedy.to, 3U) << number;
        }
    }
}

/// Server 0 owns the slot; flags as said, and one key at each server that holds some.
class OpenSlots : public testing::Test {
  protected:
    static void flag(RedisModel& model, RedisModel::Number at, const char* what,
                     RedisModel::Number other) {
        const Command command = {"CLUSTER", "SETSLOT", std::to_string(open_slot), what,
                                 RedisModel::id(other)};
        EXPECT_EQ(model.dial()(RedisModel::address(at))->ask(command).text, "OK");
    }
    static void hold(RedisModel& model, RedisModel::Number at) {
        const std::string key = test::key_of(open_slot, at);
        model.put_at(at, key, "value");
        model.expect(key, "value");
    }
    static Healed healed(RedisModel& model) {
        const test::RedisMover mover(model);
        return heal(mover.cluster, mover.connections(), {});
    }
};

TEST_F(OpenSlots, AreHealedWhateverTheirFlagsAndKeysAre) {
    for (int number = 0; number < 128; ++number) {
        const auto bit = [&](int at) { return ((number >> at) & 1) == 1; };
        if ((number & 15) == 0) continue;  // no flags: nobody asks for the keys
        if (bit(1) && !bit(0)) continue;
        RedisModel model(3);
        if (bit(0)) flag(model, 0, "MIGRATING", bit(1) ? 2 : 1);
        if (bit(2)) flag(model, 1, "IMPORTING", 0);
        if (bit(3)) flag(model, 2, "IMPORTING", 0);
        for (const int at : {0, 1, 2})
            if (bit(4 + at)) hold(model, static_cast<RedisModel::Number>(at));
        const Healed result = healed(model);
        model.gossip();
        if (bit(5) && bit(6)) {
            EXPECT_EQ(result.left,
                      std::vector<std::string>{
                          "slot 5: several masters besides its owner hold keys of it"});
            for (const std::size_t at : {1U, 2U})
                EXPECT_EQ(model.holders_of(test::key_of(open_slot, at)).size(), 1U) << number;
        } else {
            EXPECT_TRUE(result.left.empty()) << number;
            EXPECT_EQ(result.closed + result.finished, 1U) << number;
            EXPECT_EQ(model.faults_at_rest(), "") << number;
        }
    }
}

TEST_F(OpenSlots, ThatTheSourceAloneGaveAwayAreClaimed) {
    RedisModel model(3);
    flag(model, 1, "IMPORTING", 0);
    flag(model, 0, "MIGRATING", 1);
    hold(model, 1);
    flag(model, 0, "NODE", 1);
    EXPECT_NE(model.faults_for_clients(), "");
    const Healed result = healed(model);
    EXPECT_EQ(result.finished, 1U);
    EXPECT_EQ(result.closed, 0U);
    model.gossip();
    EXPECT_EQ(model.faults_at_rest(), "");
    EXPECT_EQ(model.owner_of(open_slot, 2), 1U);
}

TEST_F(OpenSlots, WhoseKeysCannotGoAreLeftAndTheirKeysNamed) {
    RedisModel model(3);
    flag(model, 1, "IMPORTING", 0);
    flag(model, 0, "MIGRATING", 1);
    hold(model, 0);
    hold(model, 1);
    model.put_at(1, test::key_of(open_slot, 0), "different");
    const Healed result = healed(model);
    EXPECT_EQ(result.left,
              std::vector<std::string>{"slot 5: key \"k0{5}\" (5 bytes) could not be sent to "
                                       "127.0.0.1:7101: both servers hold it, with different "
                                       "values"});
    EXPECT_EQ(model.faults_for_clients(), "");
}

TEST_F(OpenSlots, WithTheSameKeyOnBothAreFinished) {
    RedisModel model(3);
    flag(model, 1, "IMPORTING", 0);
    flag(model, 0, "MIGRATING", 1);
    hold(model, 0);
    model.put_at(1, test::key_of(open_slot, 0), "value");
    const Healed result = healed(model);
    EXPECT_TRUE(result.left.empty());
    EXPECT_EQ(result.finished, 1U);
    model.gossip();
    EXPECT_EQ(model.faults_at_rest(), "");
}

TEST_F(OpenSlots, AreNotTouchedWhereOthersChangedTheCluster) {
    RedisModel model(3);
    flag(model, 1, "IMPORTING", 0);
    flag(model, 0, "MIGRATING", 1);
    hold(model, 0);
    const test::RedisMover mover(model);
    static_cast<void>(healed(model));  // somebody else was faster
    EXPECT_THROW(static_cast<void>(heal(mover.cluster, mover.connections(), {})), ClusterChanged);
    model.gossip();
    EXPECT_EQ(model.faults_at_rest(), "");
}

}  // namespace
}  // namespace equipoise::redis
