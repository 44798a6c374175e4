// The cluster in memory loses and hides keys where the real one does, so that other tests can fail.

#include "tests/support/redis_model.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/adapters/redis/server.hpp"
#include "tests/support/redis_mover.hpp"

namespace equipoise::redis {
namespace {

using test::RedisModel;

constexpr std::uint16_t given_slot = 5;

/// Two connections, and a slot of server 0 with three keys.
class WrongOrders : public testing::Test {
  protected:
    WrongOrders() {
        test::fill(model_, given_slot, 3);
        for (RedisModel::Number at = 0; at < 3; ++at)
            servers_.push_back(model_.dial()(RedisModel::address(at)));
    }

    std::string tell(RedisModel::Number at, const Command& command) {
        return servers_[at]->ask(command).text;
    }
    std::string set_slot(RedisModel::Number at, const std::string& what, RedisModel::Number other) {
        Command command = {"CLUSTER", "SETSLOT", std::to_string(given_slot), what};
        if (what != "STABLE") command.push_back(RedisModel::id(other));
        return tell(at, command);
    }
    void open() {
        EXPECT_EQ(set_slot(1, "IMPORTING", 0), "OK");
        EXPECT_EQ(set_slot(0, "MIGRATING", 1), "OK");
    }
    std::string migrate(const std::vector<std::string>& keys) {
        Command command = {"MIGRATE", "127.0.0.1", "7101", "", "0", "1000", "KEYS"};
        command.insert(command.end(), keys.begin(), keys.end());
        return tell(0, command);
    }
    std::string migrate_all() {
        return migrate({test::key_of(given_slot, 0), test::key_of(given_slot, 1),
                        test::key_of(given_slot, 2)});
    }
    std::string seen_by_clients(std::size_t number) {
        return model_.get(0, test::key_of(given_slot, number));
    }

    RedisModel model_{3};
    std::vector<std::unique_ptr<Server>> servers_;
};

TEST_F(WrongOrders, ASlotGivenAwayWithKeysInItLosesThem) {
    open();
    EXPECT_EQ(migrate({test::key_of(given_slot, 0)}), "OK");
    EXPECT_EQ(model_.faults_for_clients(), "");
    EXPECT_EQ(set_slot(1, "NODE", 1), "OK");
    model_.gossip();
    EXPECT_EQ(seen_by_clients(0), "value 0");
    EXPECT_EQ(seen_by_clients(1), "(none)");
    EXPECT_TRUE(model_.holders_of(test::key_of(given_slot, 1)).empty());
    EXPECT_NE(model_.faults_at_rest(), "");
}

TEST_F(WrongOrders, WhereEpochsTieTheTargetAloneBeingToldLosesKeys) {
    model_.set_epoch(0, 7);
    model_.set_epoch(1, 7);
    open();
    EXPECT_EQ(migrate_all(), "OK");
    EXPECT_EQ(set_slot(1, "NODE", 1), "OK");
    EXPECT_EQ(model_.faults_for_clients(), "");
    model_.gossip();
    EXPECT_EQ(model_.owner_of(given_slot, 1), 0U);
    EXPECT_NE(seen_by_clients(0), "value 0");
    EXPECT_TRUE(model_.holders_of(test::key_of(given_slot, 0)).empty());
}

TEST_F(WrongOrders, WhereEpochsTieBothEndsBeingToldLosesNothing) {
    model_.set_epoch(0, 7);
    model_.set_epoch(1, 7);
    open();
    EXPECT_EQ(migrate_all(), "OK");
    EXPECT_EQ(set_slot(1, "NODE", 1), "OK");
    EXPECT_EQ(set_slot(0, "NODE", 1), "OK");
    EXPECT_EQ(set_slot(2, "NODE", 1), "OK");
    model_.gossip();
    EXPECT_EQ(model_.faults_at_rest(), "");
}

TEST_F(WrongOrders, ASlotClosedAtBothEndsHidesTheKeysThatWereSent) {
    open();
    EXPECT_EQ(migrate({test::key_of(given_slot, 2)}), "OK");
    EXPECT_EQ(set_slot(0, "STABLE", 0), "OK");
    EXPECT_EQ(set_slot(1, "STABLE", 0), "OK");
    EXPECT_EQ(seen_by_clients(1), "value 1");
    EXPECT_EQ(seen_by_clients(2), "(none)");
}

TEST_F(WrongOrders, ASourceThatIsToldFirstSendsClientsInCircles) {
    EXPECT_EQ(set_slot(0, "MIGRATING", 1), "OK");
    EXPECT_EQ(model_.get(0, "new{5}"), "(not found)");
    EXPECT_EQ(migrate_all(), "ERR Target instance replied with error: MOVED 5 127.0.0.1:7100");
    EXPECT_EQ(set_slot(1, "IMPORTING", 0), "OK");
    EXPECT_EQ(model_.get(0, "new{5}"), "(none)");
    EXPECT_EQ(migrate_all(), "OK");
    // The source alone is told whose the slot is.
    EXPECT_EQ(set_slot(0, "NODE", 1), "OK");
    model_.gossip();
    EXPECT_EQ(seen_by_clients(0), "(not found)");
    EXPECT_EQ(set_slot(1, "NODE", 1), "OK");
    model_.gossip();
    EXPECT_EQ(model_.faults_at_rest(), "");
}

TEST_F(WrongOrders, ServersThatSendToEachOtherBlock) {
    constexpr std::uint16_t other_slot = 6000;
    test::fill(model_, other_slot, 1);
    open();
    Command importing = {"CLUSTER", "SETSLOT", "6000", "IMPORTING", RedisModel::id(1)};
    EXPECT_EQ(tell(0, importing), "OK");
    // Long enough for both to have begun, however late their threads do.
    model_.migrate_takes = std::chrono::milliseconds(500);
    const auto send = [&](RedisModel::Number from, RedisModel::Number to, std::uint16_t slot) {
        const std::string port = std::to_string(RedisModel::address(to).port);
        static_cast<void>(tell(
            from, {"MIGRATE", "127.0.0.1", port, "", "0", "60", "KEYS", test::key_of(slot, 0)}));
    };
    {
        const std::jthread there([&] { send(0, 1, given_slot); });
        const std::jthread back([&] { send(1, 0, other_slot); });
    }
    EXPECT_GT(model_.blocked(), 0U);
    EXPECT_TRUE(model_.gave_and_took());
}

TEST_F(WrongOrders, AreRefusedInTheWordsOfRedis) {
    EXPECT_EQ(set_slot(1, "MIGRATING", 0), "ERR I'm not the owner of hash slot 5");
    EXPECT_EQ(set_slot(0, "IMPORTING", 1), "ERR I'm already the owner of hash slot 5");
    EXPECT_EQ(set_slot(0, "NODE", 1),
              "ERR Can't assign hashslot 5 to a different node while I still hold keys for this "
              "hash slot.");
    EXPECT_EQ(set_slot(0, "NODE", 9), "ERR Unknown node " + RedisModel::id(9));
    open();
    model_.put_at(1, test::key_of(given_slot, 1), "another");
    EXPECT_EQ(migrate_all(),
              "ERR Target instance replied with error: BUSYKEY Target key name already exists.");
    EXPECT_EQ(model_.holders_of(test::key_of(given_slot, 1)).size(), 2U);
    EXPECT_EQ(model_.holders_of(test::key_of(given_slot, 2)).size(), 1U);
    EXPECT_EQ(migrate({"gone{5}"}), "NOKEY");
}

}  // namespace
}  // namespace equipoise::redis
