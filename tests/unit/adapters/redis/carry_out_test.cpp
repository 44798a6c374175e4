// Plans of slots that are carried out on a cluster in memory.

#include "equipoise/adapters/redis/carry_out.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/redis_model.hpp"
#include "tests/support/redis_mover.hpp"

namespace equipoise::redis {
namespace {

using test::RedisModel;
using test::Wish;
using Texts = std::vector<std::string>;

/// Some slots of a server, in which there are a few keys each, to another one.
std::vector<Wish> some_of(RedisModel& model, RedisModel::Number from, RedisModel::Number to,
                          std::uint16_t slots, std::uint16_t first = 0) {
    std::vector<Wish> wishes;
    for (std::uint16_t at = first; at < first + slots; ++at) {
        const auto slot = static_cast<std::uint16_t>(model.first_slot(from) + at);
        test::fill(model, slot, 1 + at % 4U);
        wishes.push_back({slot, to});
    }
    return wishes;
}

std::vector<Wish> all_of(std::initializer_list<std::vector<Wish>> lists) {
    std::vector<Wish> all;
    for (const std::vector<Wish>& list : lists)
        all.insert(all.end(), list.begin(), list.end());
    return all;
}

void expect_where_wished(RedisModel& model, const std::vector<Wish>& wishes) {
    model.gossip();
    EXPECT_EQ(model.faults_at_rest(), "");
    for (const Wish& wish : wishes)
        EXPECT_EQ(model.owner_of(wish.slot, 0), wish.to);
}

TEST(CarryingOut, MovesSlotsOfAllPairs) {
    RedisModel model(4);
    const auto wishes = all_of({some_of(model, 0, 2, 8), some_of(model, 1, 3, 8),
                                some_of(model, 0, 3, 8, 8), some_of(model, 1, 2, 8, 8)});
    std::vector<CarryOutProgress> told;
    CarryOutOptions options = test::in_haste();
    options.progress = [&](const CarryOutProgress& progress) { told.push_back(progress); };
    const CarriedOut result = test::carry(model, wishes, options);
    EXPECT_EQ(result.slots, 32U);
    EXPECT_EQ(result.keys, 80U);
    EXPECT_EQ(result.bytes, 32'000U);
    EXPECT_TRUE(result.left.empty());
    EXPECT_FALSE(result.interrupted);
    EXPECT_EQ(result.stopped, "");
    expect_where_wished(model, wishes);
    ASSERT_FALSE(told.empty());
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end(),
                               [](const auto& a, const auto& b) { return a.slots < b.slots; }));
    EXPECT_EQ(told.back().slots, 32U);
    EXPECT_EQ(told.back().slots_all, 32U);
    EXPECT_EQ(told.back().bytes_all, 32'000U);
    EXPECT_EQ(told.back().seconds_left, 0);
}

TEST(CarryingOut, HasNoMasterGiveAndTakeAtATime) {
    RedisModel model(3);
    const auto wishes = all_of({some_of(model, 0, 1, 6), some_of(model, 1, 2, 6),
                                some_of(model, 2, 0, 6), some_of(model, 1, 0, 6, 6)});
    model.migrate_takes = std::chrono::milliseconds(1);
    CarryOutOptions options = test::in_haste();
    options.move.timeout_ms = 1000;
    EXPECT_EQ(test::carry(model, wishes, options).slots, wishes.size());
    EXPECT_FALSE(model.gave_and_took());
    EXPECT_EQ(model.blocked(), 0U);
    expect_where_wished(model, wishes);
}

TEST(CarryingOut, HasAtMostAsManySlotsOfAMasterUnderWayAsIsSaid) {
    for (const std::uint64_t at_once : {1U, 2U, 3U, 16U}) {
        RedisModel model(3);
        const auto wishes = all_of({some_of(model, 0, 2, 10), some_of(model, 1, 2, 10)});
        model.migrate_takes = std::chrono::microseconds(100);
        CarryOutOptions options = test::in_haste();
        options.slots_at_once = at_once;
        EXPECT_EQ(test::carry(model, wishes, options).slots, wishes.size());
        EXPECT_LE(model.most_open(), at_once);
        EXPECT_GE(model.most_open(), std::max<std::uint64_t>(1, at_once / 2));
        expect_where_wished(model, wishes);
    }
}

TEST(CarryingOut, SendsFewLargeKeysAtOnce) {
    RedisModel model(2);
    test::fill(model, 5, 20);
    const Cluster cluster = read_cluster(model.dial(), RedisModel::address(0), 0);
    CarryOutOptions options = test::in_haste();
    options.move.keys_at_once = 100;
    const std::vector<PlannedMove> moves = {{5, 0, 1, 20, 2'000'000, {}}};
    EXPECT_EQ(carry_out(model.dial(), cluster, moves, options).keys, 20U);
    for (const RedisModel::Logged& logged : model.log())
        if (logged.command[0] == "MIGRATE") {
            EXPECT_EQ(logged.command.size(), 7U + 5U);
        }
    expect_where_wished(model, {{5, 1}});
}

TEST(CarryingOut, KeepsRatesOfGivingAndTaking) {
    for (const bool gives : {true, false}) {
        RedisModel model(2);
        const auto wishes = some_of(model, 0, 1, 20);
        CarryOutOptions options = test::in_haste();
        options.slots_at_once = 2;
        // Of 20 moves with 1000 bytes each and two keys at once.
        const std::vector<double> rates = {100'000, 100'000};
        (gives ? options.gives_a_second : options.takes_a_second) = rates;
        const Cluster cluster = read_cluster(model.dial(), RedisModel::address(0), 0);
        std::vector<PlannedMove> moves = test::plan_of(cluster, wishes);
        for (PlannedMove& move : moves)
            move.keys = 1 + move.slot % 4U;
        const CarriedOut result = carry_out(model.dial(), cluster, moves, options);
        // All but the last ones are paid for when those begin.
        EXPECT_GE(result.seconds, 0.17);
        EXPECT_LT(result.seconds, 5);
        expect_where_wished(model, wishes);
    }
}

TEST(CarryingOut, BeginsAMoveWhenThoseThatItWaitsForAreDone) {
    RedisModel model(3);
    model.gossips_when_read = true;
    std::vector<Wish> wishes = all_of({some_of(model, 0, 1, 1), some_of(model, 1, 2, 1),
                                       some_of(model, 2, 0, 1), some_of(model, 0, 2, 1, 1)});
    const Cluster cluster = read_cluster(model.dial(), RedisModel::address(0), 0);
    std::vector<PlannedMove> moves = test::plan_of(cluster, wishes);
    moves[0].waits_for = {2, 3};
    moves[2].waits_for = {1};
    moves[1].bytes = 1;  // or else those with more bytes would go first
    const CarriedOut result = carry_out(model.dial(), cluster, moves, test::in_haste());
    EXPECT_EQ(result.slots, 4U);
    const auto time_of = [&](const Wish& wish, const std::string& what, bool last) {
        std::size_t found = 0;
        for (std::size_t at = 0; at < model.log().size(); ++at) {
            const Command& command = model.log()[at].command;
            if (command.size() == 5 && command[2] == std::to_string(wish.slot) &&
                command[3] == what && (last || found == 0))
                found = at;
        }
        EXPECT_GT(found, 0U);
        return found;
    };
    for (const auto& [before, after] : {std::pair(2, 0), std::pair(3, 0), std::pair(1, 2)})
        EXPECT_LT(time_of(wishes[static_cast<std::size_t>(before)], "NODE", true),
                  time_of(wishes[static_cast<std::size_t>(after)], "IMPORTING", false));
    expect_where_wished(model, wishes);
}

TEST(CarryingOut, EndsAfterTheSlotsUnderWayWhenItIsAskedTo) {
    RedisModel model(2);
    const auto wishes = some_of(model, 0, 1, 30);
    std::stop_source stop;
    CarryOutOptions options = test::in_haste();
    options.slots_at_once = 2;
    options.stop = stop.get_token();
    options.progress = [&](const CarryOutProgress& progress) {
        if (progress.slots >= 4) stop.request_stop();
    };
    const CarriedOut result = test::carry(model, wishes, options);
    EXPECT_TRUE(result.interrupted);
    EXPECT_GE(result.slots, 4U);
    EXPECT_LT(result.slots, 10U);
    EXPECT_TRUE(result.left.empty());
    model.gossip();
    EXPECT_EQ(model.faults_at_rest(), "");
    EXPECT_EQ(test::carry(model, wishes).slots, 30 - result.slots);
    expect_where_wished(model, wishes);
}

TEST(CarryingOut, LeavesTheSlotOfAKeyThatCannotGoAndMovesTheOthers) {
    RedisModel model(2);
    const auto wishes = some_of(model, 0, 1, 6);
    model.put("large{3}", std::string(2000, 'x'));
    model.stuck = {"large{3}"};
    const Cluster cluster = read_cluster(model.dial(), RedisModel::address(0), 0);
    std::vector<PlannedMove> moves = test::plan_of(cluster, wishes);
    moves[5].waits_for = {3};
    for (const bool again : {false, true}) {
        const CarriedOut result = again ? test::carry(model, all_of({wishes}))
                                        : carry_out(model.dial(), cluster, moves, test::in_haste());
        Texts left = {
            "slot 3: key \"large{3}\" (2,000 bytes) could not be sent to 127.0.0.1:7101: IOERR "
            "error or timeout writing to target instance; it did not arrive within 5,000 ms"};
        if (!again) left.emplace_back("1 slot not moved: it waits for those above");
        EXPECT_EQ(result.left, left);
        EXPECT_EQ(result.slots, again ? 1U : 4U);
        EXPECT_EQ(result.stopped, "");
        EXPECT_EQ(model.faults_for_clients(), "");
    }
    model.stuck.clear();
    EXPECT_TRUE(test::carry(model, wishes).left.empty());
    expect_where_wished(model, wishes);
}

TEST(CarryingOut, StopsWhereNoSlotCouldGo) {
    RedisModel model(2);
    const auto wishes = some_of(model, 0, 1, 40);
    model.password = "secret";
    const CarriedOut result = test::carry(model, wishes);
    EXPECT_EQ(result.slots, 0U);
    EXPECT_NE(result.stopped.find("NOAUTH Authentication required."), std::string::npos)
        << result.stopped;
    EXPECT_LE(model.most_open(), CarryOutOptions{}.slots_at_once);
    EXPECT_EQ(model.faults_for_clients(), "");
    model.password.clear();
    EXPECT_TRUE(test::carry(model, wishes).left.empty());
    expect_where_wished(model, wishes);
}

TEST(CarryingOut, LeavesOutSlotsThatOthersMovedMeanwhile) {
    RedisModel model(3);
    const auto wishes = some_of(model, 0, 1, 4);
    const Cluster cluster = read_cluster(model.dial(), RedisModel::address(0), 0);
    const std::vector<PlannedMove> moves = test::plan_of(cluster, wishes);
    EXPECT_EQ(test::carry(model, {{2, 2}, {3, 1}}).slots, 2U);
    Texts notes;
    CarryOutOptions options = test::in_haste();
    options.note = [&](const std::string& text) { notes.push_back(text); };
    const CarriedOut result = carry_out(model.dial(), cluster, moves, options);
    EXPECT_EQ(result.slots, 3U);
    EXPECT_EQ(result.left, Texts{"1 slot left out, since others changed the cluster: plan again"});
    EXPECT_EQ(result.stopped, "");
    EXPECT_FALSE(notes.empty());
    expect_where_wished(model, {{0, 1}, {1, 1}, {2, 2}, {3, 1}});
}

TEST(CarryingOut, MovesSlotsOfOthersThatAreOpenFirst) {
    RedisModel model(3);
    test::fill(model, 5, 3);
    const auto wishes = some_of(model, 0, 2, 3);
    {
        const test::RedisMover killed(model);
        model.kill_after(model.commands() + 4);
        MoveOptions options;
        options.keys_at_once = 2;
        EXPECT_THROW(static_cast<void>(
                         move_slots(killed.ends(0, 1), std::vector<std::uint16_t>{5}, options)),
                     test::MoverKilled);
        model.revive();
    }
    const CarriedOut result = test::carry(model, wishes);
    EXPECT_EQ(result.finished, 1U);
    EXPECT_EQ(result.slots, 3U);
    expect_where_wished(model, all_of({wishes, {{5, 1}}}));
}

TEST(CarryingOut, EmptiesMastersWhichThenAreReplicas) {
    for (const bool stay : {false, true}) {
        RedisModel model(2);
        const RedisModel::Number guest = model.add_master();
        model.empty_masters_stay = stay;
        std::vector<Wish> wishes = some_of(model, 0, guest, 30);
        EXPECT_EQ(test::carry(model, wishes).slots, 30U);
        for (Wish& wish : wishes)
            wish.to = 1;
        const CarriedOut result = test::carry(model, wishes);
        EXPECT_EQ(result.slots, 30U);
        EXPECT_TRUE(result.left.empty() && result.stopped.empty()) << result.stopped;
        expect_where_wished(model, wishes);
    }
}

TEST(CarryingOut, SaysWhyItCouldNotGoOn) {
    RedisModel model(2);
    const auto wishes = some_of(model, 0, 1, 4);
    std::atomic<bool> is_over = false;
    model.after_each = [&] {
        if (model.commands() > 12 && !is_over.exchange(true)) model.fail(1);
    };
    CarryOutOptions options = test::in_haste();
    options.patience = 0;
    const CarriedOut result = test::carry(model, wishes, options);
    EXPECT_EQ(result.stopped, "127.0.0.1:7101 is down");
}

TEST(CarryingOut, IsNotSeenByClientsThatReadAndWriteAllTheWhile) {
    RedisModel model(3);
    const auto wishes =
        all_of({some_of(model, 0, 1, 30), some_of(model, 1, 2, 30), some_of(model, 2, 0, 30)});
    model.migrate_takes = std::chrono::microseconds(50);
    {
        const std::jthread client([&](const std::stop_token& stop) {
            for (std::uint64_t number = 0; !stop.stop_requested(); ++number) {
                const std::uint16_t slot = wishes[number % wishes.size()].slot;
                EXPECT_TRUE(model.set(number % 3, test::key_of(slot, number % 5),
                                      number % 9 == 0 ? "" : std::to_string(number)));
                if (number % 16 == 0) {
                    EXPECT_EQ(model.faults_for_clients(), "");
                }
                std::this_thread::sleep_for(std::chrono::microseconds(20));
            }
        });
        EXPECT_EQ(test::carry(model, wishes).slots, 90U);
    }
    expect_where_wished(model, wishes);
}

}  // namespace
}  // namespace equipoise::redis
