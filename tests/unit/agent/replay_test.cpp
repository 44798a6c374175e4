#include "equipoise/agent/replay.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/line_source.hpp"
#include "tests/unit/agent/virtual_fleet.hpp"

namespace equipoise::agent {
namespace {

using Kind = SiteEvent::Kind;

std::vector<SiteRecord> records_of(const VirtualFleet& fleet) {
    std::vector<SiteRecord> records;
    for (std::size_t at = 0; at < fleet.size(); ++at)
        records.push_back(fleet.record(at));
    return records;
}

std::vector<SiteRecord> records_of_a_pair() {
    VirtualFleet fleet(2, {{0, 1}}, {}, 1);
    fleet.put(0, 1001);
    fleet.run(20 * second);
    return records_of(fleet);
}

/// The numbers of all events of a kind.
std::vector<std::size_t> find_all(const SiteRecord& record, Kind kind) {
    std::vector<std::size_t> found;
    for (std::size_t at = 0; at < record.events.size(); ++at)
        if (record.events[at].kind == kind) found.push_back(at);
    return found;
}

void erase(SiteRecord& record, std::size_t event) {
    record.events.erase(record.events.begin() + static_cast<std::ptrdiff_t>(event));
}

SiteRecord read_text(const std::string& text) {
    std::istringstream stream(text);
    LineSource lines(stream, "file");
    return read_site_record(lines);
}

TEST(Replay, EverySiteOfAQuietFleetDidWhatItsProgramDoes) {
    const std::vector<SiteRecord> records = records_of_a_pair();
    const Replay replay = replay_fleet(records);
    EXPECT_EQ(replay.refusal, "");
    EXPECT_EQ(replay.sites, 2U);
    EXPECT_EQ(replay.lives, 2U);
    EXPECT_EQ(replay.events, records[0].events.size() + records[1].events.size());
    EXPECT_EQ(replay.unchecked, 0U);
    EXPECT_GE(replay.taken, 500);
    EXPECT_EQ(replay.given, replay.taken);  // the fleet is at rest
}

TEST(Replay, MessagesAreLostAndReorderedAndAgentsDie) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        VirtualFleet fleet(9, torus_links(3), {.loss = 100, .doubled = 100, .delay_max = 20'000},
                           seed);
        RandomStream random(seed, Purpose::sampling, 1);
        fleet.put(4, 5'000);
        for (int kill = 0; kill < 20; ++kill) {
            fleet.run(100'000 + random.below(300'000));
            fleet.kill(random.below(9));
            fleet.work(random.below(9));
        }
        fleet.run(5 * second);
        const Replay replay = replay_fleet(records_of(fleet));
        EXPECT_EQ(replay.refusal, "") << "seed " << seed;
        EXPECT_EQ(replay.lives, 9U + 20U);
        EXPECT_LT(replay.received, replay.sent);
    }
}

TEST(Replay, ARecordIsReadAsItWasWritten) {
    const std::vector<SiteRecord> records = records_of_a_pair();
    std::string text;
    for (const SiteEvent& event : records[1].events)
        text += json_text(written(event)) + '\n';
    const SiteRecord read = read_text(text);
    ASSERT_EQ(read.events.size(), records[1].events.size());
    for (std::size_t at = 0; at < read.events.size(); ++at)
        EXPECT_EQ(written(read.events[at]), written(records[1].events[at]));
    EXPECT_EQ(replay_fleet({records[0], read}).refusal, "");
}

TEST(Replay, ASiteWithoutNeighboursRecordsIsPlayedAlone) {
    const std::vector<SiteRecord> records = records_of_a_pair();
    const Replay replay = replay_fleet({records[1]});
    EXPECT_EQ(replay.refusal, "");
    EXPECT_EQ(replay.unchecked, replay.received);
    EXPECT_GT(replay.received, 0U);
}

TEST(Replay, AMessageThatIsNotTheProgramsIsRefused) {
    const std::vector<SiteRecord> records = records_of_a_pair();
    for (const std::size_t at : find_all(records[0], Kind::send))
        for (const bool in_load : {true, false}) {
            std::vector<SiteRecord> changed = records;
            Message& message = changed[0].events[at].message;
            ++(in_load ? message.load : message.amount);
            const std::string place = "0:" + std::to_string(at + 1) + ": expected {";
            EXPECT_EQ(replay_fleet(changed).refusal.rfind(place, 0), 0U) << at;
        }
}

TEST(Replay, ADealOfAnotherSizeIsRefused) {
    const std::vector<SiteRecord> records = records_of_a_pair();
    for (const Kind kind : {Kind::give, Kind::take})
        for (const std::size_t site : {0U, 1U})
            for (const std::size_t at : find_all(records[site], kind)) {
                std::vector<SiteRecord> changed = records;
                ++changed[site].events[at].tokens;
                EXPECT_NE(replay_fleet(changed).refusal, "") << site << ' ' << at;
            }
}

TEST(Replay, AReceivedMessageThatNobodySentIsRefused) {
    const std::vector<SiteRecord> records = records_of_a_pair();
    for (const std::size_t at : find_all(records[1], Kind::receive)) {
        std::vector<SiteRecord> changed = records;
        ++changed[1].events[at].ticket;
        const std::string refusal = replay_fleet(changed).refusal;
        EXPECT_NE(refusal.find("expected a message that 0 had sent"), std::string::npos) << refusal;
    }
}

TEST(Replay, AMessageThatIsReceivedTwiceIsRefused) {
    const std::vector<SiteRecord> records = records_of_a_pair();
    const std::size_t first = find_all(records[1], Kind::receive).front();
    std::vector<SiteRecord> changed = records;
    changed[1].events.push_back(changed[1].events[first]);
    const std::string refusal = replay_fleet(changed).refusal;
    EXPECT_NE(refusal.find("expected a message that 0 had sent"), std::string::npos) << refusal;
}

TEST(Replay, AnEventThatIsMissingIsRefused) {
    const std::vector<SiteRecord> records = records_of_a_pair();
    for (const Kind kind : {Kind::send, Kind::give, Kind::take})
        for (const std::size_t at : find_all(records[0], kind)) {
            std::vector<SiteRecord> changed = records;
            changed[0].events.push_back({});  // the agent ended by itself
            ASSERT_EQ(replay_fleet(changed).refusal, "");
            erase(changed[0], at);
            EXPECT_NE(replay_fleet(changed).refusal, "") << at;
        }
}

TEST(Replay, OnlyALifeThatWasKilledMayEndAmidATurn) {
    std::vector<SiteRecord> records = records_of_a_pair();
    records[0].events.resize(find_all(records[0], Kind::send).back());
    EXPECT_EQ(replay_fleet({records[0]}).refusal, "");
    records[0].events.push_back({});
    EXPECT_NE(replay_fleet({records[0]}).refusal, "");
}

TEST(Replay, ADealThatOnlyTheGiverBooksIsRefused) {
    std::vector<SiteRecord> records = records_of_a_pair();
    // The giver alone is played as it was; of the taker there is only the beginning.
    records[1].events.resize(1);
    const std::string refusal = replay_fleet(records).refusal;
    EXPECT_NE(refusal, "");
}

TEST(SiteRecord, WhatIsNoRecordIsRefusedWithItsPlace) {
    const auto refuses = [](const std::string& text, const std::string& message) {
        try {
            static_cast<void>(read_text(text));
            ADD_FAILURE() << "expected an error for " << text;
        } catch (const InputError& error) {
            EXPECT_EQ(std::string(error.what()).rfind(message, 0), 0U) << error.what();
        }
    };
    const std::string begin =
        R"({"event":"begin","version":1,"site":"a","neighbours":[{"name":"b","end":"head"}],)"
        R"("seed":1,"incarnation":2,"period":8,"batch":10})"
        "\n";
    EXPECT_EQ(read_text(begin).events.size(), 1U);
    EXPECT_TRUE(read_text("").events.empty());
    refuses("{\"event\": \"time_over\"}\n", "file:1: event: expected begin, found");
    refuses(begin + "{\"event\": \"sleep\"}\n", "file:2: event: expected an event of a site");
    refuses(begin + "{\"event\": \"part\", \"port\": 1}\n", "file:2: port: expected");
    refuses(begin + "{\"event\": \"tokens\", \"tokens\": -1}\n", "file:2: tokens: expected");
    refuses(begin + "{\"event\": \"send\", \"port\": 0, \"ticket\": 1}\n", "file:2: ");
    refuses(begin + "[\n", "file:2");
}

}  // namespace
}  // namespace equipoise::agent
