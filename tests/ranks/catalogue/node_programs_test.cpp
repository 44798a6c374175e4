// Node programs of the catalogue whose nodes live on ranks. Full records hold the order of
// deliveries, which rank 0 has then replayed: the library itself compares loads, exchanges,
// messages, events and time of the replay with those of the ranks (engine/ranks/run_on_ranks.cpp).

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/catalogue/runner/playing.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/optimum/exchanges/minimum_exchanges.hpp"
#include "tests/support/program_instances.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/watchdog.hpp"

namespace equipoise::catalogue {
namespace {

using Parameters = std::map<std::string, std::string>;

/// With a summary: the ranks' own figures; with a full record: those of the replay.
Outcome play(engine::Fabric& fabric, const std::string& algorithm, const Parameters& parameters,
             const test::Instance& instance, model::RecordLevel level) {
    const test::Watchdog watchdog(algorithm + " on ranks");
    RunOptions options;
    options.parameters = {parameters.begin(), parameters.end()};
    options.seed = 3;
    options.record_level = level;
    options.fabric = &fabric;
    options.nodes_on_ranks = true;
    Outcome outcome =
        run(algorithm, network::AnyNetwork(instance.network), instance.loads, options);
    EXPECT_EQ(load::total(instance.loads), load::total(outcome.loads())) << algorithm;
    EXPECT_TRUE(outcome.reached()) << algorithm;
    const int ranks = fabric.ranks() > 1 ? fabric.ranks() : 0;
    EXPECT_EQ(outcome.record.asynchrony->ranks, static_cast<std::uint64_t>(ranks));
    // Programs with clocks say more where ranks wait for a processor, and long orders are not kept.
    if (level == model::RecordLevel::full && fabric.rank() == 0) {
        EXPECT_TRUE(!outcome.record.asynchrony->deliveries.empty() ||
                    outcome.messages() > deliveries_recorded_max / 4)
            << algorithm << ", " << outcome.messages() << " messages";
    }
    return outcome;
}

template <class Expect>
void play_on_all_ranks(const std::string& algorithm, const std::vector<Parameters>& choices,
                       bool on_trees, const Expect& expect) {
    test::on_ranks([&](engine::Fabric& fabric) {
        for (const test::Instance& instance :
             on_trees ? test::program_trees(fabric.ranks()) : test::program_networks())
            for (const Parameters& parameters : choices)
                for (const auto level : {model::RecordLevel::summary, model::RecordLevel::full})
                    expect(instance, play(fabric, algorithm, parameters, instance, level));
    });
}

void expect_perfect(const test::Instance& instance, const Outcome& outcome) {
    const auto nodes = static_cast<Tokens>(instance.loads.size());
    const Tokens least = load::total(instance.loads) / nodes;
    for (const Tokens load : outcome.loads())
        EXPECT_TRUE(load == least || load == least + 1) << load;
    EXPECT_EQ(outcome.stopped_because(), "own-termination");
}

void expect_one_balanced(const test::Instance& /*instance*/, const Outcome& outcome) {
    EXPECT_LE(outcome.local_imbalance(), 1);
    EXPECT_EQ(outcome.stopped_because(), "quiet");
}

TEST(PerfectTreeOnRanks, EndsWithFloorOrCeilingEverywhere) {
    play_on_all_ranks("perfect-tree", {{{"root", "reserve"}}, {{"root", "link-end"}}}, true,
                      expect_perfect);
}

TEST(PerfectTreeBatchedOnRanks, EndsWithFloorOrCeilingEverywhere) {
    play_on_all_ranks("perfect-tree-batched", {{}}, true, expect_perfect);
}

TEST(MinimumExchangeTreeOnRanks, NeedsExactlyTheFewestExchanges) {
    play_on_all_ranks("minimum-exchange-tree", {{{"tokens", "single"}}, {{"tokens", "bundled"}}},
                      true, [](const test::Instance& tree, const Outcome& outcome) {
                          expect_perfect(tree, outcome);
                          const Tokens fewest =
                              optimum::minimum_exchanges(tree.network, tree.loads).exchanges;
                          EXPECT_EQ(static_cast<std::uint64_t>(fewest), outcome.exchanges());
                      });
}

TEST(AsyncDealAgreementOnRanks, EndsOneBalanced) {
    play_on_all_ranks("async-deal-agreement", {{}}, false, expect_one_balanced);
}

TEST(AsyncRingDistributionOnRanks, EndsWithFloorOrCeilingEverywhere) {
    test::on_ranks([](engine::Fabric& fabric) {
        for (const NodeId nodes : {NodeId{3}, NodeId{17}})
            for (const auto level : {model::RecordLevel::summary, model::RecordLevel::full}) {
                test::Instance ring{test::stored_network("cycle:n=" + std::to_string(nodes)),
                                    test::corner_loads(nodes, 50)};
                const Outcome outcome = play(fabric, "async-ring-distribution", {}, ring, level);
                EXPECT_LE(outcome.discrepancy(), 1);
                EXPECT_EQ(outcome.stopped_because(), "quiet");
            }
    });
}

TEST(SelfStabilisingOnRanks, EndsOneBalancedOnBothKindsOfLinks) {
    play_on_all_ranks("self-stabilising", {{{"link", "numbered"}}, {{"link", "labelled"}}}, false,
                      expect_one_balanced);
}

TEST(PerfectSelfStabilisingOnRanks, EndsPerfectOnBothKindsOfLinks) {
    play_on_all_ranks("perfect-self-stabilising", {{{"link", "numbered"}}, {{"link", "labelled"}}},
                      false, [](const test::Instance& /*instance*/, const Outcome& outcome) {
                          EXPECT_LE(outcome.discrepancy(), 1);
                          EXPECT_EQ(outcome.stopped_because(), "quiet");
                      });
}

// Reports that are only said again must not keep ranks from seeing that nothing happens.
TEST(PerfectSelfStabilisingOnRanks, EndsOnATorus) {
    test::on_ranks([](engine::Fabric& fabric) {
        const test::Instance torus{test::stored_network("torus:8x8"),
                                   test::corner_loads(NodeId{64}, 1000)};
        const Outcome outcome =
            play(fabric, "perfect-self-stabilising", {}, torus, model::RecordLevel::summary);
        EXPECT_LE(outcome.discrepancy(), 1);
        EXPECT_EQ(outcome.stopped_because(), "quiet");
    });
}

TEST(ProgramsWithClocksOnRanks, FallSilent) {
    play_on_all_ranks("partially-asynchronous", {{{"window", "8"}}}, false, expect_one_balanced);
    play_on_all_ranks("async-one-token-diffusion", {{}}, false,
                      [](const test::Instance& instance, const Outcome& outcome) {
                          EXPECT_LE(outcome.local_imbalance(),
                                    Tokens{2} * instance.network.degree_max());
                          EXPECT_EQ(outcome.stopped_because(), "quiet");
                      });
}

}  // namespace
}  // namespace equipoise::catalogue
