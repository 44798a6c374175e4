// Networks that an adversary lays as a path along which the loads rise, before every round. After
// Gilbert, Meir, Paz, Schwartzman 2021, who have adversaries for all algorithms that average over
// matchings, and show that their power vanishes under smoothed analysis (statements here are our
// own, with the proofs in docs/results/changing-networks.md).
//
// Theorem 3. If along the path loads rise by at most 1 a link, no rule that averages over one
// matching a round changes how many nodes have which load. So the loads 2, 1, ..., 1, 0 keep their
// discrepancy of 2. Rules with several matchings a round, which meet one path in all of them, can
// level them.
//
// Theorem 4. If two random places of the path exchange their nodes with probability p before every
// round, the discrepancy is above 1 after the rounds of theory::smoothed_rounds with at most the
// probability for which these were asked.

#include "equipoise/theory/changing_networks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/sorted_path.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/protocols/max_neighbor.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/torus_play.hpp"

namespace equipoise::test::changing_networks {
namespace {

using load::Loads;

Loads sorted(Loads loads) {
    std::sort(loads.begin(), loads.end());
    return loads;
}

bool is_staircase(const Loads& rising) {
    for (std::size_t place = 1; place < rising.size(); ++place)
        if (rising[place] - rising[place - 1] > 1) return false;
    return true;
}

/// The loads 2, 1, ..., 1, 0.
Loads two_to_nothing(NodeId nodes) {
    Loads loads(nodes, 1);
    loads.front() = 2;
    loads.back() = 0;
    return loads;
}

/// All tokens, two for each node, at one node.
Loads spike_of(NodeId nodes) {
    Loads loads(nodes, 0);
    loads.front() = 2 * Tokens{nodes};
    return loads;
}

/// Calls `visit(loads)` with everything that a matching of the path can make of loads by averaging,
/// odd tokens at either end.
template <class Visit>
void for_each_average(const Loads& loads, std::size_t from, const Visit& visit) {
    if (from + 1 >= loads.size()) return visit(loads);
    for_each_average(loads, from + 1, visit);  // this link is not matched
    const Tokens sum = loads[from] + loads[from + 1];
    for (const Tokens odd : {Tokens{0}, sum % 2}) {
        Loads after = loads;
        after[from] = sum / 2 + odd;
        after[from + 1] = sum - after[from];
        for_each_average(after, from + 2, visit);
    }
}

TEST(Theorem3OfChangingNetworks, HoldsForAllMatchingsAndCoinsAndForStaircasesOnly) {
    for (NodeId nodes = 2; nodes <= 6; ++nodes)
        for_each_loads(nodes, 4, [&](const Loads& loads) {
            if (!std::is_sorted(loads.begin(), loads.end())) return;
            bool changes = false;
            for_each_average(
                loads, 0, [&](const Loads& after) { changes = changes || sorted(after) != loads; });
            EXPECT_EQ(changes, !is_staircase(loads));
        });
}

TEST(Theorem3OfChangingNetworks, HoldsForEveryAlgorithmOfTheCatalogueThatAveragesWholeTokens) {
    int kept = 0;
    for (const NodeId nodes : {3, 4, 9}) {
        const std::string spec = "complete:n=" + std::to_string(nodes);
        const network::AnyNetwork network = network::generate(spec, 0);
        const catalogue::NetworkFacts facts(network);
        for (const std::string name : {"max-neighbor", "coin-averaging", "one-token-matching",
                                       "deal-agreement-2", "deal-agreement-3"})
            for (std::uint64_t seed = 0; seed < 5; ++seed) {
                catalogue::RunOptions options;
                options.seed = seed;
                options.churn = "adversary:sorted-path";
                options.steps_max = 1'200;
                const auto run = catalogue::run(catalogue::find_algorithm(name), facts,
                                                two_to_nothing(nodes), options);
                EXPECT_EQ(sorted(run.loads()), sorted(two_to_nothing(nodes))) << name;
                ++kept;
            }
    }
    EXPECT_EQ(kept, 75);
}

TEST(Theorem3OfChangingNetworks, DoesNotCoverRulesWithSeveralMatchingsARound) {
    const network::AnyNetwork network = network::generate("complete:n=5", 0);
    const auto left = [&](const std::string& name, const catalogue::ParameterTexts& parameters) {
        catalogue::RunOptions options;
        options.seed = 1;
        options.churn = "adversary:sorted-path";
        options.steps_max = 10'000;
        options.parameters = parameters;
        return catalogue::run(name, network, two_to_nothing(5), options).discrepancy();
    };
    EXPECT_EQ(left("coin-averaging", {{"matching", "random"}}), 2);
    EXPECT_EQ(left("coin-averaging", {{"matching", "single"}}), 2);
    EXPECT_EQ(left("coin-averaging", {{"matching", "periodic"}}), 0);
    EXPECT_EQ(left("threshold-1", {}), 0);
}

/// Plays max-neighbor until the discrepancy is 1; the rounds it takes, `rounds_max` at most.
Step rounds_to_level(const network::AnyNetwork& network, const Loads& loads, double smoothing,
                     Step rounds_max, std::uint64_t seed) {
    model::SortedPath world(network, smoothing, seed);
    engine::RoundOptions options = steps(rounds_max, seed);
    options.environment = &world;
    options.stop.discrepancy = 1;
    return network.visit([&](const auto& graph) {
        return engine::run_rounds(protocols::MaxNeighbor{}, loads, graph, options).costs.steps;
    });
}

TEST(Theorem4OfChangingNetworks, ALittleNoiseLevelsWhatTheAdversaryKeepsForEver) {
    constexpr int runs = 400;
    for (const NodeId nodes : {3, 6, 10})
        for (const double smoothing : {0.2, 1.0, 3.0}) {
            const network::AnyNetwork network =
                network::generate("complete:n=" + std::to_string(nodes), 0);
            for (const Loads& loads : {two_to_nothing(nodes), spike_of(nodes)})
                for (const double failure : {0.5, 0.1}) {
                    const Step rounds = theory::smoothed_rounds(nodes, load::potential(loads),
                                                                smoothing, 0.25, failure);
                    int late = 0;
                    for (std::uint64_t seed = 0; seed < runs; ++seed)
                        late +=
                            rounds_to_level(network, loads, smoothing, rounds + 1, seed) > rounds
                                ? 1
                                : 0;
                    EXPECT_LE(late, runs * failure + 3 * std::sqrt(runs * failure))
                        << nodes << ' ' << smoothing;
                    if (failure == 0.5) {
                        EXPECT_EQ(rounds_to_level(network, two_to_nothing(nodes), 0, rounds, 1),
                                  rounds)
                            << "without noise";
                    }
                }
        }
}

/// How often, of all exchanges of two places, the ends of the path are neighbours afterwards.
TEST(Theorem4OfChangingNetworks, TheEndsMeetAsOftenAsThatWhereverTheyStood) {
    for (NodeId nodes = 2; nodes <= 7; ++nodes)
        for (NodeId least = 0; least < nodes; ++least)
            for (NodeId most = 0; most < nodes; ++most) {
                if (least == most) continue;
                int meetings = 0;
                int exchanges = 0;
                for (NodeId one = 0; one < nodes; ++one)
                    for (NodeId other = one + 1; other < nodes; ++other) {
                        const auto moved = [&](NodeId place) {
                            return place == one ? other : place == other ? one : place;
                        };
                        const auto from = static_cast<int>(moved(least));
                        const auto to = static_cast<int>(moved(most));
                        meetings += std::abs(from - to) == 1 ? 1 : 0;
                        ++exchanges;
                    }
                EXPECT_GE(static_cast<double>(meetings) + 1e-9,
                          theory::smoothed_meeting(nodes, 1) * exchanges)
                    << nodes << ' ' << least << ' ' << most;
            }
}

/// Lemma 1 with its sum: the network of a round may depend on the loads in any way.
TEST(Lemma1OfMaxNeighbor, BoundsTheExpectedNumberOfRoundsWithASteepLink) {
    struct Steep final : model::Observer {
        void on_start(const model::StepView& view) override { look(view); }
        void on_step(const model::StepView& view) override { look(view); }
        void look(const model::StepView& view) {
            const Loads rising = sorted({view.loads.begin(), view.loads.end()});
            rounds += is_staircase(rising) ? 0 : 1;
        }
        int rounds = 0;
    };
    constexpr int runs = 100;
    for (const NodeId nodes : {4, 12}) {
        const network::AnyNetwork network =
            network::generate("complete:n=" + std::to_string(nodes), 0);
        const Loads loads = spike_of(nodes);
        double sum = 0;
        double squares = 0;
        for (std::uint64_t seed = 0; seed < runs; ++seed) {
            model::SortedPath world(network, 0, seed);
            Steep steep;
            engine::RoundOptions options = steps(1'500, seed);
            options.environment = &world;
            std::vector<model::Observer*> observers = {&steep};
            options.observers = observers;
            network.visit([&](const auto& graph) {
                static_cast<void>(
                    engine::run_rounds(protocols::MaxNeighbor{}, loads, graph, options));
            });
            sum += steep.rounds;
            squares += static_cast<double>(steep.rounds) * steep.rounds;
        }
        const double mean = sum / runs;
        const double deviation = std::sqrt(squares / runs - mean * mean);
        EXPECT_LE(mean - 4 * deviation / std::sqrt(runs),
                  theory::max_neighbor_steep_rounds(load::potential(loads), nodes));
    }
}

}  // namespace
}  // namespace equipoise::test::changing_networks
