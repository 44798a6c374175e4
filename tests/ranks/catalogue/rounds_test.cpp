// Every algorithm of the catalogue on several ranks: loads, costs, stop reasons and records are
// those of one process, bit by bit.

#include "equipoise/engine/rounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/network/structure/node_orders.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/diffusion.hpp"
#include "tests/support/catalogue_runs.hpp"
#include "tests/support/fabrics.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::catalogue {
namespace {

const std::string root = EQUIPOISE_SOURCE_DIR;

Instance instance_of(const std::string& network, const std::string& loads, std::uint64_t seed) {
    NetworkRequest request;
    request.spec = network;
    request.seed = seed;
    return make_instance(request, loads);
}

/// The first difference between two runs, or nothing. Only rank 0 has more than the summary.
std::string difference(const Outcome& one, const Outcome& many, bool whole_record) {
    if (one.loads() != many.loads()) return "loads";
    if (one.record.costs != many.record.costs) return "costs";
    if (one.stopped_because() != many.stopped_because()) return "stop reason";
    if (one.reached() != many.reached()) return "verdict";
    if (one.discrepancy() != many.discrepancy() || one.local_imbalance() != many.local_imbalance())
        return "metrics";
    if (!whole_record) return "";
    if (one.record.transfers != many.record.transfers) return "transfers";
    if (one.record.created != many.record.created) return "created tokens";
    if (one.record.destroyed != many.record.destroyed) return "destroyed tokens";
    if (one.record.constants != many.record.constants) return "constants";
    if (one.record.deviation != many.record.deviation) return "deviation";
    if (one.record.moves != many.record.moves) return "moves";
    if (!std::equal(one.record.samples.begin(), one.record.samples.end(),
                    many.record.samples.begin(), many.record.samples.end(),
                    [](const model::Sample& a, const model::Sample& b) {
                        return a.step == b.step && a.loads == b.loads;
                    }))
        return "samples";
    return "";
}

std::string difference(const Algorithm& algorithm, const NetworkFacts& facts,
                       const load::Loads& loads, RunOptions options, engine::Fabric& fabric) {
    RunOptions alone = options;
    alone.fabric = nullptr;
    alone.partition = nullptr;
    alone.reorder = network::NodeOrder::natural;
    const Outcome one = run(algorithm, facts, loads, alone);
    options.fabric = &fabric;
    const Outcome many = run(algorithm, facts, loads, options);
    if (options.reorder != network::NodeOrder::natural && fabric.rank() == 0) {
        alone.reorder = options.reorder;
        alone.threads = 2;
        const std::string found = difference(one, run(algorithm, facts, loads, alone), true);
        if (!found.empty()) return found + " of one process";
    }
    return difference(one, many, fabric.rank() == 0);
}

/// Runs every algorithm that can serve the instance; returns how many can. `place` is that of the
/// instance in a list of several (see test::plays_case).
int expect_same(engine::Fabric& fabric, const Instance& instance, const RunOptions& options,
                std::size_t place = 0) {
    const NetworkFacts facts(instance.network);
    int served = 0;
    for (const Algorithm& algorithm : algorithms()) {
        ++place;
        if (!test::refusal(algorithm, facts, instance.loads, options).empty()) continue;
        ++served;
        if (!test::plays_case(fabric.ranks(), place)) continue;
        EXPECT_EQ(difference(algorithm, facts, instance.loads, options, fabric), "")
            << algorithm.name << " on " << instance.network.labels().origin;
    }
    return served;
}

TEST(RoundsOnRanks, AreThoseOfOneProcessForEveryAlgorithmOfTheCatalogue) {
    test::on_ranks([](engine::Fabric& fabric) {
        std::uint64_t seed = 5;
        for (const std::string network :
             {"path:n=2", "path:n=9", "tree:k=2,h=3", "torus:4x5", "mesh:3x4", "hypercube:d=4",
              "random-regular:n=20,d=3", "random-tree:n=30", "complete:n=7", "cycle:n=11"}) {
            RunOptions options;
            options.seed = ++seed;
            const char* loads = seed % 2 == 0 ? "spike:tokens=137" : "zipf:tokens=90";
            EXPECT_GE(expect_same(fabric, instance_of(network, loads, seed), options, seed), 15);
        }
    });
}

TEST(RoundsOnRanks, AreTheSameOnTheKarateClubWithFullRecords) {
    test::on_ranks([](engine::Fabric& fabric) {
        RunOptions options;
        options.record_level = model::RecordLevel::full;
        options.steps_max = 200;
        EXPECT_GE(expect_same(
                      fabric,
                      instance_of(root + "/examples/networks/karate.graph", "zipf:tokens=1000", 3),
                      options),
                  15);
    });
}

TEST(RoundsOnRanks, AreTheSameOnMixedParts) {
    test::on_ranks([](engine::Fabric& fabric) {
        const int ranks = fabric.ranks();
        std::size_t place = 0;
        for (const std::string network : {"torus:4x5", "random-tree:n=30"}) {
            const Instance instance = instance_of(network, "spike:tokens=100", 7);
            const engine::Partition partition =
                test::drawn_partition(instance.network.node_count(), ranks);
            RunOptions options;
            options.partition = &partition;
            options.record_level = model::RecordLevel::full;
            EXPECT_GE(expect_same(fabric, instance, options, place++), 15);
        }
    });
}

// Each network in an order of its own, and each in all where all cases are played: two thirds of
// half a minute are then saved on threads, and on every number of processes.
TEST(RoundsOnRanks, AreTheSameInEveryOrderOfTheNodesOnRanksAndInOneProcess) {
    constexpr network::NodeOrder orders[] = {network::NodeOrder::cuthill_mckee,
                                             network::NodeOrder::degrees,
                                             network::NodeOrder::hilbert};
    test::on_ranks([&](engine::Fabric& fabric) {
        std::size_t place = 0;
        for (const std::string network :
             {"torus:4x5", "random-regular:n=24,d=3", "random-tree:n=30"}) {
            const network::NodeOrder own_order = orders[place++];
            Instance instance = instance_of(network, "zipf:tokens=200", 7);
            const NodeId nodes = instance.network.node_count();
            for (NodeId node = 0; node < nodes; ++node)
                instance.network.labels().positions.push_back(
                    {static_cast<double>(node * 7 % nodes), static_cast<double>(node * 3 % 5)});
            const engine::Partition mixed = test::drawn_partition(nodes, fabric.ranks());
            for (const network::NodeOrder order : orders) {
                if (order != own_order && !test::plays_all_cases()) continue;
                RunOptions options;
                options.seed = 3;
                options.reorder = order;
                options.record_level = model::RecordLevel::full;
                if (order == network::NodeOrder::degrees) options.partition = &mixed;
                EXPECT_GE(expect_same(fabric, instance, options, place), 15);
            }
        }
    });
}

TEST(RoundsOnRanks, AreTheSameInAnotherOrderWithSpeedsArrivalsAndStopRules) {
    test::on_ranks([](engine::Fabric& fabric) {
        const Instance instance = instance_of("random-tree:n=30", "zipf:tokens=300", 4);
        RunOptions options;
        options.reorder = network::NodeOrder::cuthill_mckee;
        options.steps_max = 60;
        RunOptions speeds = options;
        for (NodeId node = 0; node < instance.network.node_count(); ++node)
            speeds.speeds.push_back(1 + node % 3);
        EXPECT_GE(expect_same(fabric, instance, speeds), 3);
        RunOptions stop = options;
        stop.stop.emplace();
        stop.stop->own_termination = false;
        stop.stop->one_balanced = true;
        EXPECT_GE(expect_same(fabric, instance, stop), 15);
        RunOptions arriving = options;
        arriving.arrivals = "poisson:rate=0.5,consume=0.5";
        arriving.record_level = model::RecordLevel::full;
        EXPECT_GE(expect_same(fabric, instance, arriving), 5);
    });
}

TEST(RoundsOnRanks, StrayAsFarFromTheIdealisedProcess) {
    test::on_ranks([](engine::Fabric& fabric) {
        std::size_t place = 0;
        for (const std::string network : {"torus:4x4", "random-tree:n=14"}) {
            const Instance instance = instance_of(network, "zipf:tokens=300", 6);
            RunOptions options;
            options.with_deviation = true;
            options.seed = 9;
            EXPECT_GE(expect_same(fabric, instance, options, place++), 12);
            options.reorder = network::NodeOrder::cuthill_mckee;
            EXPECT_GE(expect_same(fabric, instance, options, place++), 12);
            const NetworkFacts facts(instance.network);
            for (const char* follows : {"second-order", "dimension-exchange", "random-matchings"}) {
                options.parameters = {{"follows", follows}};
                if (!test::plays_case(fabric.ranks(), place++)) continue;
                EXPECT_EQ(difference(find_algorithm("flow-imitation"), facts, instance.loads,
                                     options, fabric),
                          "")
                    << follows << " on " << network;
            }
        }
    });
}

TEST(RoundsOnRanks, AreTheSameWithSpeeds) {
    test::on_ranks([](engine::Fabric& fabric) {
        const Instance instance = instance_of("random-regular:n=20,d=3", "spike:tokens=200", 2);
        RunOptions options;
        for (NodeId node = 0; node < instance.network.node_count(); ++node)
            options.speeds.push_back(1 + node % 3);
        EXPECT_GE(expect_same(fabric, instance, options), 3);
    });
}

TEST(RoundsOnRanks, AreTheSameUnderEveryStopRuleAndWhileTokensArrive) {
    test::on_ranks([](engine::Fabric& fabric) {
        const Instance instance = instance_of("torus:5x5", "zipf:tokens=300", 4);
        for (const bool one_balanced : {false, true}) {
            RunOptions options;
            options.stop.emplace();
            options.stop->own_termination = false;
            options.stop->one_balanced = one_balanced;
            if (!one_balanced) options.stop->discrepancy = 3;
            options.steps_max = 400;
            EXPECT_GE(expect_same(fabric, instance, options), 15);
        }
        RunOptions arriving;
        arriving.arrivals = "poisson:rate=0.5,consume=0.5";
        arriving.steps_max = 60;
        arriving.record_level = model::RecordLevel::full;
        EXPECT_GE(expect_same(fabric, instance, arriving), 5);
    });
}

/// Whether the outcome differs when one of the first exchanges is lost. There are no observers:
/// gathered loads would trip the ledger's assertion.
template <class Play>
void expect_losses_noticed(engine::Fabric& fabric, const Play& play) {
    engine::RoundOptions options;
    options.stop.own_termination = false;
    options.stop.steps_max = 30;
    const load::Loads one = play(options);
    options.fabric = &fabric;
    EXPECT_EQ(play(options), one);
    int noticed = 0;
    for (int exchange = 0; exchange < 6; ++exchange) {
        test::LosingFabric losing(fabric, exchange);
        options.fabric = &losing;
        noticed += play(options) == one ? 0 : 1;
    }
    EXPECT_EQ(noticed > 0, fabric.ranks() > 1);
}

TEST(RoundsOnRanks, ThatLoseAHaloUpdateAreNoticed) {
    test::on_ranks([](engine::Fabric& fabric) {
        const Instance instance = instance_of("random-regular:n=20,d=3", "zipf:tokens=300", 4);
        const network::Network& network = *instance.network.stored();
        expect_losses_noticed(fabric, [&](const engine::RoundOptions& options) {
            model::AllLinks schedule(network);
            return engine::run_rounds(protocols::Diffusion(0), schedule, instance.loads, network,
                                      options)
                .loads;
        });
        expect_losses_noticed(fabric, [&](const engine::RoundOptions& options) {
            return engine::run_rounds(protocols::DealAgreement2{}, instance.loads, network, options)
                .loads;
        });
    });
}

TEST(ErrorsOfRounds, AreThrownOnAllRanksIfOneIsRefused) {
    test::on_ranks([](engine::Fabric& fabric) {
        const Instance instance = instance_of("cycle:n=9", "spike:tokens=9", 1);
        RunOptions options;
        options.fabric = &fabric;
        const auto refusal = [&] {
            return test::thrown_by([&] {
                static_cast<void>(run("diffusion", instance.network, instance.loads, options));
            });
        };
        options.parameters = {{"nonsense", "1"}};
        EXPECT_NE(refusal().find("nonsense"), std::string::npos);
        if (fabric.rank() == 0) options.parameters = {};
        if (fabric.ranks() > 1) {
            EXPECT_NE(refusal().find("differ from rank to rank"), std::string::npos);
        }
        options.parameters = {};
        options.churn = "random:nodes=0.1,back=0.5";
        EXPECT_TRUE(refusal().starts_with("unsuitable: nodes and links come and go only in"));
    });
}

TEST(ARingOfRanks, IsPlayedWithOneNodeEach) {
    test::on_ranks([](engine::Fabric& fabric) {
        const std::string ranks = std::to_string(fabric.ranks());
        const Instance ring = instance_of((fabric.ranks() < 3 ? "path:n=" : "cycle:n=") + ranks,
                                          "spike:tokens=700", 1);
        RunOptions options;
        options.fabric = &fabric;
        const Outcome outcome = run("deal-agreement-2", ring.network, ring.loads, options);
        EXPECT_TRUE(outcome.reached());
        EXPECT_LE(outcome.local_imbalance(), 1);
    });
}

TEST(SmallParts, ArePlayedByRankZeroAloneIfThatIsAllowed) {
    test::on_ranks([](engine::Fabric& fabric) {
        for (const NodeId fewer : {NodeId{1}, NodeId{0}})
            for (const bool allowed : {true, false}) {
                const NodeId nodes = 4096 * static_cast<NodeId>(fabric.ranks()) - fewer;
                const Instance instance =
                    instance_of("path:n=" + std::to_string(nodes), "spike:tokens=9", 1);
                test::WatchedFabric watched(fabric);
                RunOptions options;
                options.steps_max = 3;
                const Outcome one = run("diffusion", instance.network, instance.loads, options);
                options.fabric = &watched;
                options.may_play_alone = allowed;
                const Outcome many = run("diffusion", instance.network, instance.loads, options);
                EXPECT_EQ(difference(one, many, false), "");
                const bool alone = fewer == 1 && allowed;
                EXPECT_EQ(watched.exchanged(), fabric.ranks() > 1 && !alone) << nodes;
                EXPECT_EQ(few_for_ranks(nodes, fabric.ranks()), fabric.ranks() > 1 && fewer == 1);
            }
    });
}

TEST(AnInterrupt, OfOneRankEndsTheRunOfAllInTheSameStep) {
    test::on_ranks([](engine::Fabric& fabric) {
        const Instance instance = instance_of("torus:8x8", "spike:tokens=64", 1);
        std::stop_source asked;
        if (fabric.rank() == fabric.ranks() - 1) asked.request_stop();
        RunOptions options;
        options.fabric = &fabric;
        const Supervision supervision = {asked.get_token()};
        options.supervision = &supervision;
        const Outcome outcome = run("threshold-1", instance.network, instance.loads, options);
        EXPECT_EQ(outcome.stopped_because(), "interrupted");
        EXPECT_EQ(outcome.steps(), 0);
    });
}

}  // namespace
}  // namespace equipoise::catalogue
