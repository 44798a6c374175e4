// Movers that are killed, connections that break and servers that fail, at every command in turn.

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/adapters/redis/carry_out.hpp"
#include "equipoise/adapters/redis/cluster.hpp"
#include "tests/support/redis_model.hpp"
#include "tests/support/redis_mover.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::redis {
namespace {

using test::RedisModel;
using test::Wish;

/// Slots with keys, and where they are to be: from 0 to 1, 1 to 2 and 2 to 0.
std::vector<Wish> wishes_in(RedisModel& model) {
    const std::uint16_t second = model.first_slot(1);
    const std::uint16_t third = model.first_slot(2);
    for (const std::uint16_t slot : {std::uint16_t{5}, second, third})
        test::fill(model, slot, 3);
    test::fill(model, 6, 2);
    return {{5, 1}, {6, 1}, {7, 1}, {second, 2}, {third, 0}};
}

/// Whether the mover was killed on the way.
bool is_killed(RedisModel& model, const std::vector<Wish>& wishes, std::uint64_t commands) {
    model.kill_after(commands);
    bool killed = false;
    try {
        static_cast<void>(test::carry(model, wishes));
    } catch (const test::MoverKilled&) {
        killed = true;
    }
    model.revive();
    return killed;
}

void expect_true(const RedisModel& model, const std::vector<Wish>& wishes) {
    EXPECT_EQ(model.faults_at_rest(), "");
    for (const Wish& wish : wishes)
        EXPECT_EQ(model.owner_of(wish.slot, 1), wish.to);
}

/// Kills a mover after every command in turn, and has a second one go on.
void kill_everywhere(bool gossips, bool breaks) {
    bool killed = true;
    for (std::uint64_t commands = 0; killed; ++commands) {
        SCOPED_TRACE(commands);
        RedisModel model(3);
        const std::vector<Wish> wishes = wishes_in(model);
        model.gossips_after_each = gossips;
        if (breaks)
            model.breaks_after = {test::key_of(5, 1), test::key_of(5, 2), test::key_of(6, 0),
                                  test::key_of(wishes.back().slot, 1)};
        killed = is_killed(model, wishes, commands);
        EXPECT_EQ(model.faults_for_clients(), "");
        model.gossip();
        EXPECT_EQ(model.faults_for_clients(), "");
        const CarriedOut second = test::carry(model, wishes);
        EXPECT_TRUE(second.left.empty() && second.stopped.empty());
        model.gossip();
        expect_true(model, wishes);
        ASSERT_LT(commands, 1000U);
    }
}

TEST(KilledMovers, LoseAndHideNoKeyWhateverTheLastCommandWas) {
    kill_everywhere(false, false);
}

TEST(KilledMovers, LoseAndHideNoKeyWhereServersHearOfEveryCommandAtOnce) {
    kill_everywhere(true, false);
}

TEST(KilledMovers, LoseAndDoubleNoKeyWhereMigrationsAreCutShort) {
    kill_everywhere(false, true);
}

TEST(KilledMovers, LeaveEveryKeyToClientsThatReadAndWriteMeanwhile) {
    bool killed = true;
    for (std::uint64_t commands = 0; killed; ++commands) {
        SCOPED_TRACE(commands);
        RedisModel model(3);
        const std::vector<Wish> wishes = wishes_in(model);
        std::atomic<std::uint64_t> written = 0;
        model.after_each = [&] {
            const std::uint64_t number = written++;
            const std::uint16_t slot = wishes[number % wishes.size()].slot;
            const std::string value = number % 7 == 0 ? "" : std::to_string(number);
            EXPECT_TRUE(model.set(number % 3, test::key_of(slot, number % 5), value));
        };
        killed = is_killed(model, wishes, commands);
        EXPECT_EQ(model.faults_for_clients(), "");
        model.gossip();
        EXPECT_TRUE(test::carry(model, wishes).left.empty());
        model.after_each = {};
        model.gossip();
        expect_true(model, wishes);
    }
}

TEST(KilledMovers, DoNotHaveKeysGuessedAtWhichClientsChangedAfterAMigrateWasCutShort) {
    bool killed = true;
    for (std::uint64_t commands = 0; killed; ++commands) {
        SCOPED_TRACE(commands);
        RedisModel model(3);
        const std::vector<Wish> wishes = wishes_in(model);
        model.breaks_after = {test::key_of(5, 0), test::key_of(5, 1), test::key_of(5, 2)};
        killed = is_killed(model, wishes, commands);
        for (const std::size_t number : {0U, 1U, 2U})
            EXPECT_TRUE(model.set(number, test::key_of(5, number), "new"));
        model.gossip();
        const CarriedOut second = test::carry(model, wishes);
        EXPECT_EQ(model.faults_for_clients(), "");
        model.gossip();
        if (second.left.empty()) expect_true(model, wishes);
        for (const std::string& left : second.left) {
            EXPECT_TRUE(left.starts_with("slot 5: key \"k")) << left;
            EXPECT_NE(left.find("with different values"), std::string::npos) << left;
        }
    }
}

TEST(BrokenConnections, AreOpenedAgainAndNothingIsLost) {
    for (const bool is_done : {false, true}) {
        bool broke = true;
        for (std::uint64_t command = 0; broke; ++command) {
            SCOPED_TRACE(command);
            RedisModel model(3);
            model.gossips_after_each = true;
            const std::vector<Wish> wishes = wishes_in(model);
            const Cluster cluster = read_cluster(model.dial(), RedisModel::address(0), 0);
            const std::uint64_t begin = model.commands();
            model.break_connection_at(begin + command, is_done);
            CarryOutOptions options = test::in_haste();
            std::atomic<bool> noted = false;
            options.note = [&](const std::string&) { noted = true; };
            const CarriedOut result =
                carry_out(model.dial(), cluster, test::plan_of(cluster, wishes), options);
            broke = model.commands() > begin + command;
            // A connection of which nothing is expected any more may break unseen.
            EXPECT_TRUE(result.left.empty() && result.stopped.empty()) << result.stopped;
            EXPECT_EQ(result.slots, wishes.size());
            expect_true(model, wishes);
        }
    }
}

/// A master fails after each command in turn, and its replica takes over.
void fail_everywhere(RedisModel::Number failing, const std::vector<Wish>& wishes) {
    bool failed = true;
    for (std::uint64_t command = 0; failed; ++command) {
        SCOPED_TRACE(command);
        RedisModel model(3);
        model.gossips_after_each = true;
        const RedisModel::Number replica = model.add_replica(failing);
        for (const Wish& wish : wishes)
            test::fill(model, wish.slot, 3);
        const Cluster cluster = read_cluster(model.dial(), RedisModel::address(0), 0);
        const std::uint64_t begin = model.commands();
        std::atomic<bool> is_over = false;
        model.after_each = [&] {
            if (model.commands() > begin + command && !is_over.exchange(true))
                model.fail_over(failing);
        };
        const CarriedOut result =
            carry_out(model.dial(), cluster, test::plan_of(cluster, wishes), test::in_haste());
        failed = is_over;
        EXPECT_TRUE(result.left.empty() && result.stopped.empty()) << result.stopped;
        EXPECT_EQ(model.faults_at_rest(), "");
        for (const Wish& wish : wishes)
            EXPECT_EQ(model.owner_of(wish.slot, 0),
                      failed && wish.to == failing ? replica : wish.to);
    }
}

TEST(Failovers, OfTheTargetAreFollowed) {
    fail_everywhere(1, {{5, 1}, {6, 1}});
}

TEST(Failovers, OfTheSourceAreFollowed) {
    fail_everywhere(1, {{6000, 0}, {6001, 2}});
}

TEST(OthersWhoCloseASlotMeanwhile, AreNoticedOrMadeGoodByTheNextRun) {
    for (const RedisModel::Number closed : {0U, 1U}) {
        bool happened = true;
        for (std::uint64_t command = 0; happened; ++command) {
            SCOPED_TRACE(command);
            RedisModel model(3);
            model.gossips_after_each = true;
            test::fill(model, 5, 5);
            const Cluster cluster = read_cluster(model.dial(), RedisModel::address(0), 0);
            const std::uint64_t begin = model.commands();
            std::atomic<bool> is_over = false;
            model.after_each = [&] {
                if (model.commands() > begin + command && !is_over.exchange(true))
                    static_cast<void>(model.dial()(RedisModel::address(closed))
                                          ->ask(Command{"CLUSTER", "SETSLOT", "5", "STABLE"}));
            };
            const CarriedOut first = carry_out(model.dial(), cluster,
                                               test::plan_of(cluster, {{5, 1}}), test::in_haste());
            happened = is_over;
            if (first.left.empty() && first.stopped.empty()) expect_true(model, {{5, 1}});
            EXPECT_TRUE(test::carry(model, {{5, 1}}).left.empty());
            expect_true(model, {{5, 1}});
        }
    }
}

TEST(EqualEpochs, AreRefusedBeforeAnythingMoves) {
    RedisModel model(3);
    test::fill(model, 5, 3);
    model.set_epoch(0, 7);
    model.set_epoch(1, 7);
    EXPECT_EQ(test::thrown_by([&] {
                  static_cast<void>(read_cluster(model.dial(), RedisModel::address(0), 0));
              }),
              "input: expected each master with a configuration epoch of its own, found 7 of "
              "127.0.0.1:7100 and 127.0.0.1:7101; the servers mend this by themselves within "
              "seconds");
    // Within seconds they have different ones.
    model.gossip();
    EXPECT_TRUE(test::carry(model, {{5, 1}}).left.empty());
    EXPECT_EQ(model.faults_at_rest(), "");
}

TEST(EqualEpochs, WouldLoseTheSlotOfAMoverThatIsKilledBetweenBothEnds) {
    RedisModel model(3);
    test::fill(model, 5, 3);
    const test::RedisMover mover(model);
    model.set_epoch(0, 7);
    model.set_epoch(1, 7);
    model.kill_after(model.commands() + 8);  // the first SETSLOT NODE is the last command
    MoveOptions options;
    EXPECT_THROW(
        static_cast<void>(move_slots(mover.ends(0, 1), std::vector<std::uint16_t>{5}, options)),
        test::MoverKilled);
    EXPECT_EQ(model.log().back().command[3], "NODE");
    EXPECT_EQ(model.faults_for_clients(), "");
    model.gossip();
    EXPECT_NE(model.faults_for_clients(), "");
}

}  // namespace
}  // namespace equipoise::redis
