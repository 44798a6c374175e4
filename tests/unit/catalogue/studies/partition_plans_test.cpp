// Plans of Kafka's partitions: their order, the waves that are written, read and judged.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/catalogue/studies/waves.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::catalogue {
namespace {

using Draw = test::Draw<std::uint64_t>;

std::string document(const std::vector<std::vector<int>>& lists) {
    std::string text;
    for (std::size_t number = 0; number < lists.size(); ++number) {
        if (lists[number].empty()) continue;
        std::string brokers;
        for (const int broker : lists[number])
            brokers += (brokers.empty() ? "" : ",") + std::to_string(broker);
        text += (text.empty() ? "" : ",") +
                (R"({"topic":"t","partition":)" + std::to_string(number)) + R"(,"replicas":[)" +
                brokers + "]}";
    }
    return R"({"version":1,"partitions":[)" + text + "]}\n";
}

/// Partitions of Kafka, and where they are to go; empty: nowhere in particular.
WavesRequest reassigned(const std::vector<std::vector<int>>& now,
                        const std::vector<std::vector<int>>& proposal) {
    WavesRequest request;
    request.sizes = "now.json";
    request.texts["sizes"] = document(now);
    if (proposal.empty()) return request;
    request.target = "places:to.json";
    request.texts["target"] = document(proposal);
    return request;
}

JudgedItems judged_waves(WavesRequest request, const std::string& documents) {
    request.texts["check"] = documents;
    return judge_items(request, "p.json");
}

TEST(PlansOfPartitions, AChangeOfOrderAloneIsAWaveWithoutMoves) {
    const PlannedItems made = plan_items(reassigned({{3, 4, 2, 0}, {4, 3}}, {{0, 4, 2, 3}}));
    EXPECT_EQ(made.plan.moves(), 0);
    ASSERT_TRUE(made.partitions);
    EXPECT_EQ(made.partitions->leaders, 1U);
    ASSERT_EQ(made.partitions->waves.size(), 1U);
    EXPECT_EQ(made.partitions->waves[0].size(), 1U);
    EXPECT_TRUE(plan_items(reassigned({{3, 4}, {4, 3}}, {{3, 4}})).partitions->waves.empty());
}

TEST(PlansOfPartitions, ChecksJudgeTheOrderOfReplicas) {
    const WavesRequest request = reassigned({{1, 2}, {1, 2}, {2, 3}}, {{3, 1}, {2, 1}});
    const JudgedItems good = judged_waves(request, document({{1, 3}}) + document({{3, 1}, {2, 1}}));
    EXPECT_EQ(good.words.fault, "");
    EXPECT_EQ(good.words.leaders, 2U);
    EXPECT_EQ(good.verdict.waves, 2U);
    EXPECT_EQ(good.verdict.moves, 1U);
    const auto fault = [&](const std::string& documents) {
        const JudgedItems judged = judged_waves(request, documents);
        EXPECT_FALSE(judged.verdict.holds);
        return judged.words.fault;
    };
    EXPECT_EQ(fault(document({{1, 3}, {2, 1}})),
              "p.json: partition t-0 ends with the replicas 1,3, not 3,1");
    EXPECT_EQ(fault(document({{3, 1}})),
              "p.json: partition t-1 ends with the replicas 1,2, not 2,1");
    EXPECT_EQ(fault(document({{3, 1}, {2, 1}, {3, 2}})),
              "p.json: partition t-2 ends with the replicas 3,2, not 2,3");
    EXPECT_EQ(fault(document({{}, {2, 1}})), "p.json: item t-0 ends on node 2, not on node 3");
    EXPECT_EQ(fault(document({{3, 1}, {3, 1}})),
              "p.json: partitions[1]: node 2 gives 2 items, more than 1 at once, in wave 0");
    EXPECT_EQ(fault(document({{3, 1}}) + document({{3}})),
              "p.json: partitions[0]: partition t-0 has 1 replicas in wave 1, not 2");
    // A table of moves says nothing of orders.
    WavesRequest table = request;
    table.texts["check"] = "wave,item,from,to\n0,t-0,2,3\n";
    const JudgedItems judged = judge_items(table, "moves.csv");
    EXPECT_EQ(judged.words.fault, "");
    EXPECT_TRUE(judged.words.order_open);
    EXPECT_FALSE(judged.words.leaders);
}

TEST(PlansOfPartitions, WavesOfOtherItemsAreRefused) {
    WavesRequest request;
    request.sizes = "sizes.csv";
    request.texts["sizes"] = "item,node\nlogs,a\n";
    request.resume = "done.json";
    request.texts["resume"] = document({{1}});
    EXPECT_EQ(test::thrown_by([&] { static_cast<void>(plan_items(request)); }),
              "input: done.json: expected lines wave,item,from,to, as the items are not Kafka's, "
              "found JSON");
}

/// Random partitions and a proposal that changes places, orders, both or neither.
std::pair<std::vector<std::vector<int>>, std::vector<std::vector<int>>> random_proposal(
    Draw& draw, int brokers) {
    const auto shuffled = [&](std::vector<int> list) {
        for (std::size_t left = list.size(); left > 1; --left)
            std::swap(list[left - 1], list[draw(0, left - 1)]);
        return list;
    };
    std::vector<int> all;
    for (int broker = 0; broker < brokers; ++broker)
        all.push_back(broker);
    std::vector<std::vector<int>> now;
    std::vector<std::vector<int>> proposal;
    const std::uint64_t partitions = draw(1, 8);
    for (std::uint64_t number = 0; number < partitions; ++number) {
        std::vector<int> replicas = shuffled(all);
        replicas.resize(draw(1, static_cast<std::uint64_t>(brokers)));
        std::vector<int> other = draw(0, 2) == 0 ? shuffled(replicas) : shuffled(all);
        other.resize(replicas.size());
        if (draw(0, 3) == 0) other.clear();
        now.push_back(std::move(replicas));
        proposal.push_back(std::move(other));
    }
    return {now, proposal};
}

TEST(PlansOfPartitions, ProposalsAreReachedInOrderAndLeadersChangeAsLateAsTheyCan) {
    Draw draw(9);
    int reordered = 0;
    for (int round = 0; round < 300; ++round) {
        SCOPED_TRACE(round);
        const auto [now, proposal] = random_proposal(draw, static_cast<int>(draw(2, 6)));
        WavesRequest request = reassigned(now, proposal);
        for (int broker = 0; broker < 6; ++broker)
            request.nodes.push_back(std::to_string(broker));
        request.at_once = draw(1, 2);
        const PlannedItems made = plan_items(request);
        ASSERT_TRUE(made.partitions);
        const auto& waves = made.partitions->waves;
        const load::Items& items = made.instance.items;
        std::vector<std::vector<int>> lists = now;
        std::string documents;
        for (std::size_t wave = 0; wave < waves.size(); ++wave) {
            std::vector<std::vector<int>> changed(lists.size());
            for (const kafka::Replicas& replicas : waves[wave]) {
                const std::vector<int> before = lists[replicas.thing];
                std::vector<int>& after = lists[replicas.thing];
                for (std::size_t at = 0; at < after.size(); ++at)
                    after[at] = std::stoi(items.node_name(replicas.nodes[at]));
                changed[replicas.thing] = after;
                // A leader that stays leads until the last wave.
                const bool stays = std::find(after.begin(), after.end(), before[0]) != after.end();
                EXPECT_TRUE(wave + 1 == waves.size() || before[0] == after[0] || !stays);
            }
            documents += document(changed);
        }
        for (std::size_t thing = 0; thing < lists.size(); ++thing)
            EXPECT_EQ(lists[thing], proposal[thing].empty() ? now[thing] : proposal[thing]);
        if (!made.partitions->reordered.empty()) ++reordered;
        if (waves.empty()) continue;
        const JudgedItems judged = judged_waves(request, documents);
        EXPECT_EQ(judged.words.fault, "");
        EXPECT_EQ(judged.words.leaders, made.partitions->leaders);
        EXPECT_EQ(judged.verdict.moves, made.plan.schedule.size());
        // All is done when all waves are.
        request.resume = "p.json";
        request.texts["resume"] = documents;
        const PlannedItems rest = plan_items(request);
        EXPECT_EQ(rest.instance.resumed, made.plan.schedule.size());
        EXPECT_TRUE(rest.partitions->waves.empty());
    }
    EXPECT_GT(reordered, 100);
}

}  // namespace
}  // namespace equipoise::catalogue
