// The order of commands by which slots move, and what stands in their way.

#include "equipoise/adapters/redis/slot_moves.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/redis_model.hpp"
#include "tests/support/redis_mover.hpp"

namespace equipoise::redis {
namespace {

using test::RedisModel;

/// The commands that were sent since the log had this many, as "server: words"; keys are counted.
std::vector<std::string> told_since(const RedisModel& model, std::size_t begin) {
    std::vector<std::string> told;
    for (std::size_t at = begin; at < model.log().size(); ++at) {
        const RedisModel::Logged& logged = model.log()[at];
        std::string words = std::to_string(logged.server) + ':';
        for (const std::string& word : logged.command) {
            if (word == "KEYS") break;
            const bool is_id = word.size() == 40;
            words += ' ' + (is_id ? std::string(1, word.back()) : word);
        }
        told.push_back(words);
    }
    return told;
}

MoveOptions two_keys_at_once() {
    MoveOptions options;
    options.keys_at_once = 2;
    return options;
}

TEST(MovesOfSlots, TellTheTargetFirstAndGiveTheSlotAtBothEndsAtOnce) {
    RedisModel model(3);
    test::fill(model, 5, 3);
    const test::RedisMover mover(model);
    const std::size_t begin = model.log().size();
    const std::vector<std::uint16_t> slots = {5};
    const auto outcomes = move_slots(mover.ends(0, 1), slots, two_keys_at_once());
    EXPECT_EQ(told_since(model, begin),
              (std::vector<std::string>{
                  "1: CLUSTER SETSLOT 5 IMPORTING a", "0: CLUSTER SETSLOT 5 MIGRATING b",
                  "0: CLUSTER GETKEYSINSLOT 5 2", "0: MIGRATE 127.0.0.1 7101  0 5000",
                  "0: CLUSTER GETKEYSINSLOT 5 2", "0: MIGRATE 127.0.0.1 7101  0 5000",
                  "0: CLUSTER GETKEYSINSLOT 5 2", "0: CLUSTER COUNTKEYSINSLOT 5", "0: ROLE",
                  "1: CLUSTER SETSLOT 5 NODE b", "0: CLUSTER SETSLOT 5 NODE b",
                  "2: CLUSTER SETSLOT 5 NODE b"}));
    ASSERT_EQ(outcomes.size(), 1U);
    EXPECT_EQ(outcomes[0].keys, 3U);
    EXPECT_EQ(outcomes[0].left, "");
    model.gossip();
    EXPECT_EQ(model.faults_at_rest(), "");
}

TEST(MovesOfSlots, OfManyAtOnceAreToldTogether) {
    RedisModel model(3);
    const std::vector<std::uint16_t> slots = {5, 6, 7};
    for (const std::uint16_t slot : slots)
        test::fill(model, slot, slot - 5U);  // one has no keys at all
    const test::RedisMover mover(model);
    const std::size_t begin = model.log().size();
    const auto outcomes = move_slots(mover.ends(0, 2), slots, {});
    const std::vector<std::string> told = told_since(model, begin);
    const auto node = std::find_if(told.begin(), told.end(), [](const std::string& words) {
        return words.find("NODE") != std::string::npos;
    });
    EXPECT_EQ(
        (std::vector<std::string>(node, told.end())),
        (std::vector<std::string>{"2: CLUSTER SETSLOT 5 NODE c", "2: CLUSTER SETSLOT 6 NODE c",
                                  "2: CLUSTER SETSLOT 7 NODE c", "0: CLUSTER SETSLOT 5 NODE c",
                                  "0: CLUSTER SETSLOT 6 NODE c", "0: CLUSTER SETSLOT 7 NODE c",
                                  "1: CLUSTER SETSLOT 5 NODE c", "1: CLUSTER SETSLOT 6 NODE c",
                                  "1: CLUSTER SETSLOT 7 NODE c"}));
    EXPECT_EQ(outcomes[1].keys, 1U);
    EXPECT_EQ(outcomes[2].keys, 2U);
    EXPECT_EQ(model.faults_at_rest(), "");
}

TEST(MovesOfSlots, SendNewKeysOfClientsToo) {
    RedisModel model(3);
    test::fill(model, 5, 4);
    const test::RedisMover mover(model);
    std::uint64_t written = 0;
    model.after_each = [&] {
        const std::size_t first = written++ % 3;
        EXPECT_TRUE(
            model.set(first, "new" + std::to_string(written % 7) + "{5}", std::to_string(written)));
        EXPECT_TRUE(model.set(first, test::key_of(5, written % 4), std::to_string(written)));
        if (written % 5 == 0) {
            EXPECT_TRUE(model.set(first, test::key_of(5, 1), ""));
        }
        EXPECT_EQ(model.faults_for_clients(), "");
    };
    const std::vector<std::uint16_t> slots = {5};
    EXPECT_EQ(move_slots(mover.ends(0, 1), slots, two_keys_at_once())[0].left, "");
    model.gossip();
    EXPECT_EQ(model.faults_at_rest(), "");
}

TEST(MovesOfSlots, TellBeforehandHowManyKeysGo) {
    RedisModel model(2);
    test::fill(model, 5, 3);
    test::fill(model, 6, 1);
    const test::RedisMover mover(model);
    MoveOptions options = two_keys_at_once();
    std::vector<std::uint64_t> sent;
    options.before_keys = [&](std::uint64_t keys) { sent.push_back(keys); };
    const std::vector<std::uint16_t> slots = {5, 6};
    static_cast<void>(move_slots(mover.ends(0, 1), slots, options));
    EXPECT_EQ(sent, (std::vector<std::uint64_t>{3, 1}));
}

TEST(MovesOfSlots, GoOnWhereSomebodyBegan) {
    for (const std::uint64_t commands : {1U, 2U, 3U, 4U, 5U}) {
        RedisModel model(3);
        test::fill(model, 5, 6);
        const std::vector<std::uint16_t> slots = {5};
        {
            const test::RedisMover killed(model);
            model.kill_after(model.commands() + commands);
            EXPECT_THROW(
                static_cast<void>(move_slots(killed.ends(0, 1), slots, two_keys_at_once())),
                test::MoverKilled);
        }
        model.revive();
        const test::RedisMover mover(model);
        EXPECT_EQ(move_slots(mover.ends(0, 1), slots, two_keys_at_once())[0].left, "");
        EXPECT_EQ(model.faults_at_rest(), "") << commands;
    }
}

TEST(KeysThatBothServersHold, AreTheSourcesInASlotThatThisRunOpened) {
    RedisModel model(3);
    test::fill(model, 5, 4);
    model.put_at(1, test::key_of(5, 1), "left by a MIGRATE that was cut short");
    model.put_at(1, test::key_of(5, 2), "value 2");
    const test::RedisMover mover(model);
    const std::vector<std::uint16_t> slots = {5};
    const SlotOutcome outcome = move_slots(mover.ends(0, 1), slots, {}).front();
    EXPECT_EQ(outcome.left, "");
    EXPECT_EQ(model.faults_at_rest(), "");
}

TEST(KeysThatBothServersHold, AreNamedAndKeptWhereTheirValuesDifferAndItIsNotKnownWhy) {
    RedisModel model(3);
    test::fill(model, 5, 4);
    test::fill(model, 6, 1);
    model.put_at(1, test::key_of(5, 2), "of another");
    model.put_at(1, test::key_of(5, 0), "value 0");
    const test::RedisMover mover(model);
    MoveOptions options;
    options.replace_different = false;
    const std::vector<std::uint16_t> slots = {5, 6};
    const auto outcomes = move_slots(mover.ends(0, 1), slots, options);
    EXPECT_EQ(outcomes[0].left,
              "key \"k2{5}\" (7 bytes) could not be sent to 127.0.0.1:7101: both servers hold it, "
              "with different values");
    EXPECT_FALSE(outcomes[0].is_general);
    EXPECT_EQ(outcomes[1].left, "");
    EXPECT_EQ(model.faults_for_clients(), "");
    EXPECT_EQ(model.holders_of(test::key_of(5, 2)).size(), 2U);
    EXPECT_EQ(model.holders_of(test::key_of(5, 0)).size(), 1U);
}

TEST(MovesOfSlots, GoOnAfterAMigrateThatWasCutShort) {
    for (const std::size_t each : {1U, 2U, 4U}) {
        RedisModel model(3);
        test::fill(model, 5, 9);
        test::fill(model, 6, 9);
        for (std::size_t number = 0; number < 9; number += each)
            model.breaks_after.merge(
                std::set<std::string>{test::key_of(5, number), test::key_of(6, 8 - number)});
        const test::RedisMover mover(model);
        MoveOptions options;
        options.keys_at_once = 4;
        const std::vector<std::uint16_t> slots = {5, 6};
        const auto outcomes = move_slots(mover.ends(0, 1), slots, options);
        EXPECT_EQ(outcomes[0].left + outcomes[1].left, "") << each;
        EXPECT_TRUE(model.breaks_after.empty());
        EXPECT_EQ(model.faults_at_rest(), "") << each;
    }
}

TEST(KeysThatTakeTooLong, AreNamedAndTheirSlotIsLeftOpenAndTheOthersMove) {
    RedisModel model(3);
    test::fill(model, 5, 5);
    test::fill(model, 6, 5);
    model.put("large{5}", std::string(2000, 'x'));
    model.stuck = {"large{5}"};
    const test::RedisMover mover(model);
    const std::vector<std::uint16_t> slots = {5, 6};
    const auto outcomes = move_slots(mover.ends(0, 1), slots, {});
    EXPECT_EQ(outcomes[0].left,
              "key \"large{5}\" (2,000 bytes) could not be sent to 127.0.0.1:7101: IOERR error or "
              "timeout writing to target instance; it did not arrive within 5,000 ms");
    EXPECT_FALSE(outcomes[0].is_general);
    EXPECT_EQ(outcomes[1].left, "");
    EXPECT_EQ(model.faults_for_clients(), "");
    EXPECT_EQ(model.owner_of(5, 0), 0U);
    EXPECT_EQ(model.owner_of(6, 0), 1U);
    // Nobody has it twice in the end.
    model.stuck.clear();
    EXPECT_EQ(move_slots(mover.ends(0, 1), std::vector<std::uint16_t>{5}, {})[0].left, "");
    EXPECT_EQ(model.faults_at_rest(), "");
}

TEST(MovesOfSlots, BringThePasswordOfTheTarget) {
    for (const Credentials& credentials :
         {Credentials{"", "secret"}, Credentials{"mover", "secret"}, Credentials{}}) {
        RedisModel model(2);
        test::fill(model, 5, 1);
        model.password = "secret";
        const test::RedisMover mover(model);
        MoveOptions options;
        options.credentials = credentials;
        const std::vector<std::uint16_t> slots = {5};
        const SlotOutcome outcome = move_slots(mover.ends(0, 1), slots, options).front();
        if (credentials.password.empty()) {
            EXPECT_EQ(outcome.left,
                      "key \"k0{5}\" (7 bytes) could not be sent to 127.0.0.1:7101: ERR Target "
                      "instance replied with error: NOAUTH Authentication required.");
            EXPECT_TRUE(outcome.is_general);
            EXPECT_EQ(model.faults_for_clients(), "");
            continue;
        }
        EXPECT_EQ(outcome.left, "");
        const auto migrate =
            std::find_if(model.log().begin(), model.log().end(),
                         [](const auto& logged) { return logged.command[0] == "MIGRATE"; });
        const std::string word = credentials.user.empty() ? "AUTH" : "AUTH2";
        EXPECT_EQ(migrate->command[6], word);
    }
}

TEST(MovesOfSlots, EndWhereOthersChangedTheCluster) {
    const std::vector<std::uint16_t> slots = {5};
    const auto refused = [&](RedisModel& model, const test::RedisMover& mover) {
        try {
            static_cast<void>(move_slots(mover.ends(0, 1), slots, two_keys_at_once()));
        } catch (const ClusterChanged& changed) {
            EXPECT_EQ(model.faults_for_clients(), "");
            return std::string(changed.what());
        }
        return std::string("nothing");
    };
    RedisModel model(3);
    test::fill(model, 5, 3);
    const test::RedisMover mover(model);
    const test::RedisMover faster(model);
    static_cast<void>(move_slots(faster.ends(0, 2), slots, {}));
    EXPECT_EQ(refused(model, mover),
              "127.0.0.1:7100: CLUSTER SETSLOT 5 MIGRATING: ERR I'm not the owner of hash slot 5");
    static_cast<void>(move_slots(faster.ends(2, 1), slots, {}));
    EXPECT_EQ(refused(model, mover),
              "127.0.0.1:7101: CLUSTER SETSLOT 5 IMPORTING: ERR I'm already the owner of hash slot "
              "5");
}

TEST(MovesOfSlots, LoseTheirConnectionWhereASourceFailed) {
    RedisModel model(3);
    model.add_replica(0);
    test::fill(model, 5, 3);
    const test::RedisMover mover(model);
    const std::uint64_t begin = model.commands();
    model.after_each = [&] {
        if (model.commands() == begin + 4) model.fail_over(0);
    };
    EXPECT_THROW(static_cast<void>(move_slots(mover.ends(0, 1), std::vector<std::uint16_t>{5},
                                              two_keys_at_once())),
                 ConnectionLost);
}

TEST(CommandsOfAMove, AreThoseThatAreSent) {
    RedisModel model(3);
    const test::RedisMover mover(model);
    const std::string node = " CLUSTER SETSLOT 5 NODE " + RedisModel::id(1) + '\n';
    EXPECT_EQ(commands_of(mover.cluster, 5, 0, 1, {}),
              "redis-cli -h 127.0.0.1 -p 7101 CLUSTER SETSLOT 5 IMPORTING " + RedisModel::id(0) +
                  "\nredis-cli -h 127.0.0.1 -p 7100 CLUSTER SETSLOT 5 MIGRATING " +
                  RedisModel::id(1) +
                  "\n# until no keys are left:\n"
                  "redis-cli -h 127.0.0.1 -p 7100 CLUSTER GETKEYSINSLOT 5 100\n"
                  "redis-cli -h 127.0.0.1 -p 7100 MIGRATE 127.0.0.1 7101 \"\" 0 5000 KEYS KEY...\n"
                  "redis-cli -h 127.0.0.1 -p 7101" +
                  node + "redis-cli -h 127.0.0.1 -p 7100" + node +
                  "redis-cli -h 127.0.0.1 -p 7102" + node);
}

}  // namespace
}  // namespace equipoise::redis
