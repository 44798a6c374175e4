// Randomised rounding, after Akbari, Berenbrink, Elsaesser, Kaaser 2014 (rule reconstructed from
// the abstract; proofs in docs/algorithms/randomised-rounding.md).
//
// Claim 1. Tokens that are rounded together reach every index with exactly the expectation that its
// fraction asks for, and are no more than the sum of the fractions, rounded up.
//
// Claim 2. The expected flow over a link is Y = (beta - 1) y + beta (x_u / s_u - x_v / s_v)
// min(s_u, s_v) / (d + 1), y the flow of tokens in the round before; beta = 1 in the first round
// and after the switch. A node sends at least floor(Y) over every port with Y > 0, at most the sum
// of these Y, rounded up, and nothing over others.
//
// Claim 3. With order first no load falls below 0, with any speeds.
//
// Claim 4. With speeds the gap of the idealised process is at least min(gap s_min / s_max,
// 2 / (d + 1)), gap that of equal speeds; from it and from the number of tokens in place of K
// follow beta and the rounds.

#include "equipoise/protocols/randomised_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/small_graphs.hpp"
#include "tests/support/torus_play.hpp"

namespace equipoise::test::randomised_rounding {
namespace {

using load::Loads;
using protocols::RandomisedRounding;
using protocols::round_together;

/// Calls `visit(out)` for every sequence of draws, all of which are equally likely; returns their
/// number.
template <class Visit>
std::uint64_t for_all_draws(const std::vector<std::uint64_t>& fractions, std::uint64_t unit,
                            const Visit& visit) {
    std::vector<std::uint64_t> draws;
    std::vector<std::uint64_t> bounds;
    std::uint64_t sequences = 0;
    while (true) {
        std::size_t next = 0;
        std::vector<Tokens> out(fractions.size(), 0);
        round_together(fractions, unit, out, [&](std::uint64_t bound) {
            if (next == draws.size()) {
                draws.push_back(0);
                bounds.push_back(bound);
            }
            return draws[next++];
        });
        visit(out);
        ++sequences;
        while (!draws.empty() && draws.back() + 1 == bounds.back()) {
            draws.pop_back();
            bounds.pop_back();
        }
        if (draws.empty()) return sequences;
        ++draws.back();
    }
}

TEST(Claim1OfRandomisedRounding, HoldsForAllDrawsOfAllSmallFractions) {
    for (const std::uint64_t unit : {1, 2, 3, 4})
        for (NodeId indices = 0; indices <= 3; ++indices)
            for_each_loads(
                std::max<NodeId>(1, indices), static_cast<Tokens>(unit) - 1,
                [&](const Loads& drawn) {
                    const std::vector<std::uint64_t> fractions(drawn.begin(),
                                                               drawn.begin() + indices);
                    const std::uint64_t sum =
                        std::accumulate(fractions.begin(), fractions.end(), std::uint64_t{0});
                    std::vector<Tokens> all(indices, 0);
                    const std::uint64_t sequences =
                        for_all_draws(fractions, unit, [&](const std::vector<Tokens>& out) {
                            Tokens sent = 0;
                            for (std::size_t i = 0; i < out.size(); ++i) {
                                all[i] += out[i];
                                sent += out[i];
                            }
                            EXPECT_LE(static_cast<std::uint64_t>(sent), (sum + unit - 1) / unit);
                        });
                    for (std::size_t i = 0; i < indices; ++i)
                        EXPECT_EQ(static_cast<std::uint64_t>(all[i]) * unit,
                                  sequences * fractions[i]);
                });
}

/// What a node should send over each port, in expectation; at most 0 if the other end decides.
struct Expected {
    Loads loads;
    std::vector<Tokens> speeds;
    std::map<std::pair<NodeId, NodeId>, Tokens> last;  ///< flows of the round before
    double beta = 1;                                   ///< of this round
    Port degree_max = 0;

    [[nodiscard]] double flow(NodeId from, NodeId to) const {
        const auto speed = [&](NodeId node) {
            return speeds.empty() ? 1.0 : static_cast<double>(speeds[node]);
        };
        const auto height = [&](NodeId node) {
            return static_cast<double>(loads[node]) / speed(node);
        };
        const auto before = last.find({from, to});
        const double inertia =
            before == last.end() ? 0 : (beta - 1) * static_cast<double>(before->second);
        return inertia + beta * (height(from) - height(to)) * std::min(speed(from), speed(to)) /
                             (degree_max + 1.0);
    }
};

struct Flows final : model::Observer {
    [[nodiscard]] bool wants_transfers() const override { return true; }
    void on_step(const model::StepView& view) override {
        transfers.assign(view.transfers.begin(), view.transfers.end());
    }
    std::vector<model::Transfer> transfers;
};

/// Checks one round's transfers against the expected flows and remembers them.
void check_round(const network::Network& graph, Expected& expected,
                 const std::vector<model::Transfer>& transfers) {
    constexpr double dust = 1e-6;
    std::map<std::pair<NodeId, NodeId>, Tokens> now;
    for (const model::Transfer& one : transfers) {
        now[{one.from, one.to}] += one.tokens;
        now[{one.to, one.from}] -= one.tokens;
    }
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        double wanted = 0;
        Tokens sent = 0;
        for (Port port = 0; port < graph.degree(node); ++port) {
            const NodeId other = graph.neighbour(node, port);
            const double flow = expected.flow(node, other);
            const Tokens tokens = now[{node, other}];
            if (flow <= dust) {
                ASSERT_LE(tokens, 0);
                continue;
            }
            ASSERT_GE(static_cast<double>(tokens), std::floor(flow - dust));
            wanted += flow;
            sent += tokens;
        }
        ASSERT_LE(static_cast<double>(sent), std::ceil(wanted - dust));
    }
    expected.last = std::move(now);
}

TEST(Claim2OfRandomisedRounding, HoldsRoundByRoundForEveryOrderWithAndWithoutSpeeds) {
    RandomStream random(31, Purpose::sampling);
    for (int instance = 0; instance < 60; ++instance) {
        const network::Network graph = random_connected_graph(12, 9, random);
        Expected expected;
        expected.loads = random_loads(12, 500, random);
        if (instance % 2 == 1) {
            expected.speeds = random_loads(12, 3, random);
            for (Tokens& speed : expected.speeds)
                ++speed;
        }
        expected.degree_max = graph.degree_max();
        const Step switch_at = instance % 3 == 0 ? 0 : instance % 3 == 1 ? 9 : 1'000;
        const double beta = 1.5;
        Flows flows;
        std::vector<model::Observer*> observers = {&flows};
        engine::RoundOptions options = steps(40, static_cast<std::uint64_t>(instance));
        options.observers = observers;
        options.speeds = expected.speeds;
        engine::DealRounds rounds(RandomisedRounding(beta, graph.degree_max(), switch_at),
                                  expected.loads, graph, options);
        for (Step step = 0; step < 25; ++step) {
            expected.beta = step == 0 || step >= switch_at ? 1 : beta;
            flows.transfers.clear();
            rounds.step();
            check_round(graph, expected, flows.transfers);
            if (HasFatalFailure()) return;
            expected.loads.assign(rounds.loads().begin(), rounds.loads().end());
        }
    }
}

TEST(Claim2OfRandomisedRounding, TheMeanFlowOfARoundIsTheIdealisedOne) {
    // A hub with five neighbours, in the second round of second order.
    constexpr int draws = 20'000;
    model::Nothing state;
    const std::vector<Tokens> neighbour_loads = {3, 11, 8, 0, 9};
    const std::vector<Port> degrees(5, 1);
    for (const std::vector<Tokens>& speeds :
         {std::vector<Tokens>{}, std::vector<Tokens>{1, 3, 2, 7, 1}}) {
        const Tokens own_speed = speeds.empty() ? 1 : 2;
        const std::vector<Tokens> before = {2, -1, 0, 1, 3};
        std::vector<double> sum(5, 0);
        for (std::uint64_t seed = 0; seed < draws; ++seed) {
            std::vector<Tokens> out(5, -1);
            std::vector<Tokens> ports = before;
            RandomisedRounding(1.25, 5, 100)
                .propose({10, own_speed, state, neighbour_loads, speeds, degrees, NodeId{0},
                          Step{1}, seed, ports},
                         out);
            EXPECT_EQ(ports, out);
            for (std::size_t port = 0; port < 5; ++port)
                sum[port] += static_cast<double>(out[port]);
        }
        for (std::size_t port = 0; port < 5; ++port) {
            const auto other = static_cast<double>(speeds.empty() ? 1 : speeds[port]);
            const auto own = static_cast<double>(own_speed);
            const double flow =
                0.25 * static_cast<double>(before[port]) +
                1.25 * (10 / own - static_cast<double>(neighbour_loads[port]) / other) *
                    std::min(own, other) / 6;
            // At most three draws of a token: deviation below 1 a round.
            EXPECT_NEAR(sum[port] / draws, std::max(flow, 0.0), 5 / std::sqrt(draws)) << port;
        }
    }
}

/// The most that a node may send over its ports in first order: all fractions rounded up together.
Tokens most_sent(Tokens load, Tokens speed, const Loads& neighbour_loads, const Loads& speeds,
                 Tokens places) {
    Tokens numerator = 0;                      // over a common denominator
    constexpr Tokens common = 12 * 4 * 5 * 6;  // divisible by places (4 .. 6) and speeds (1 .. 4)
    for (std::size_t port = 0; port < neighbour_loads.size(); ++port) {
        const Tokens faster = std::max(speed, speeds[port]);
        const Tokens drive = load * speeds[port] - neighbour_loads[port] * speed;
        if (drive > 0) numerator += drive * (common / (faster * places));
    }
    return (numerator + common - 1) / common;
}

TEST(Claim3OfRandomisedRounding, NoNodeCanBeAskedForMoreThanItHas) {
    for (Tokens load = 0; load <= 9; ++load)
        for (Tokens speed = 1; speed <= 4; ++speed)
            for (Tokens places = 4; places <= 6; ++places)
                for_each_loads(3, 2, [&](const Loads& loads) {
                    for_each_loads(3, 3, [&](const Loads& drawn) {
                        Loads speeds = drawn;
                        for (Tokens& one : speeds)
                            ++one;
                        ASSERT_LE(most_sent(load, speed, loads, speeds, places), load);
                    });
                });
}

TEST(Claim3OfRandomisedRounding, LoadsOfOrderFirstNeverFallBelowZeroAndSecondOrderMayOwe) {
    RandomStream random(32, Purpose::sampling);
    Tokens least_second = 0;
    for (int instance = 0; instance < 40; ++instance) {
        const network::Network graph = random_connected_graph(15, instance % 12, random);
        Loads loads = random_loads(15, 2, random);
        loads[0] = 300;
        std::vector<Tokens> speeds = random_loads(15, 4, random);
        for (Tokens& speed : speeds)
            ++speed;
        for (const double beta : {1.0, 1.8}) {
            engine::RoundOptions options = steps(60, static_cast<std::uint64_t>(instance));
            if (instance % 2 == 1) options.speeds = speeds;
            const Step switch_at = beta == 1.0 ? 0 : RandomisedRounding::never;
            engine::DealRounds rounds(RandomisedRounding(beta, graph.degree_max(), switch_at),
                                      loads, graph, options);
            for (int step = 0; step < 50; ++step) {
                rounds.step();
                const Tokens least =
                    *std::min_element(rounds.loads().begin(), rounds.loads().end());
                if (beta == 1.0) {
                    ASSERT_GE(least, 0);
                }
                least_second = std::min(least_second, least);
                ASSERT_EQ(load::total(rounds.loads()), load::total(loads));
            }
        }
    }
    EXPECT_LT(least_second, 0);
}

/// Claim 4's lower bound.
double gap_with_speeds(const network::AnyNetwork& network, const std::vector<Tokens>& speeds) {
    const double gap = 1 - second_eigenvalue(analysis::DiffusionMatrix::uniform(network)).upper();
    const auto [slowest, fastest] = std::minmax_element(speeds.begin(), speeds.end());
    return std::min(gap * static_cast<double>(*slowest) / static_cast<double>(*fastest),
                    2 / (network.degree_max() + 1.0));
}

/// sum (x - share)^2 / speed, which a round of first order shrinks by (1 - gap)^2 or more.
double distance_squared(const std::vector<double>& loads, const std::vector<Tokens>& speeds) {
    double tokens = 0;
    double speed = 0;
    for (std::size_t node = 0; node < loads.size(); ++node) {
        tokens += loads[node];
        speed += static_cast<double>(speeds[node]);
    }
    double sum = 0;
    for (std::size_t node = 0; node < loads.size(); ++node) {
        const auto own = static_cast<double>(speeds[node]);
        sum += (loads[node] - tokens * own / speed) * (loads[node] - tokens * own / speed) / own;
    }
    return sum;
}

TEST(Claim4OfRandomisedRounding, EveryIdealisedRoundWithSpeedsShrinksTheDistanceByTheGap) {
    RandomStream random(41, Purpose::sampling);
    for (int instance = 0; instance < 60; ++instance) {
        const network::Network graph = random_connected_graph(7, instance % 15, random);
        std::vector<Tokens> speeds = random_loads(7, 6, random);
        for (Tokens& speed : speeds)
            ++speed;
        const double kept = 1 - gap_with_speeds(network::AnyNetwork(graph), speeds);
        const Loads start = random_loads(7, 99, random);
        std::vector<double> loads(start.begin(), start.end());
        for (int round = 0; round < 30; ++round) {
            std::vector<double> next = loads;
            for (const auto& [tail, head] : graph.links()) {
                const auto s_u = static_cast<double>(speeds[tail]);
                const auto s_v = static_cast<double>(speeds[head]);
                const double flow = (loads[tail] / s_u - loads[head] / s_v) * std::min(s_u, s_v) /
                                    (graph.degree_max() + 1.0);
                next[tail] -= flow;
                next[head] += flow;
            }
            EXPECT_LE(distance_squared(next, speeds),
                      kept * kept * distance_squared(loads, speeds) + 1e-9);
            loads = next;
        }
    }
}

TEST(Claim4OfRandomisedRounding, RunsWithSpeedsTakeTheRoundsThatFollowFromTokensAndGap) {
    const std::vector<std::pair<std::string, std::vector<Tokens>>> cases = {
        {"cycle:n=4", {1, 2, 3, 2}},             // the gap by speeds
        {"complete:n=6", {4, 5, 4, 5, 4, 5}},    // 2 / (d + 1)
        {"star:leaves=5", {7, 1, 2, 3, 1, 1}}};  // irregular
    for (const auto& [spec, speeds] : cases) {
        const network::AnyNetwork network = network::generate(spec, 0);
        const NodeId nodes = network.node_count();
        Loads loads(nodes, 900);  // K is 100, the tokens many more
        loads[0] = 1000;
        const double gap = gap_with_speeds(network, speeds);
        const double log =
            std::log(static_cast<double>(load::total(loads)) * static_cast<double>(nodes));
        const auto noted = [&](const char* order) {
            catalogue::RunOptions options;
            options.speeds = speeds;
            options.parameters["order"] = order;
            return catalogue::run("randomised-rounding", network, loads, options).record.constants;
        };
        const double second = std::ceil(log / std::sqrt(gap));
        const double after = std::min(std::ceil(std::log(10.0 * nodes) / gap), 4 * second);
        EXPECT_EQ(std::stod(noted("first").at("rounds")), std::ceil(log / gap)) << spec;
        EXPECT_EQ(std::stod(noted("second").at("rounds")), second) << spec;
        EXPECT_EQ(std::stod(noted("hybrid").at("switched_after")), second) << spec;
        EXPECT_EQ(std::stod(noted("hybrid").at("rounds")), second + after) << spec;
        EXPECT_NEAR(std::stod(noted("second").at("beta")),
                    2 / (1 + std::sqrt(1 - (1 - gap) * (1 - gap))), 1e-5);
    }
}

}  // namespace
}  // namespace equipoise::test::randomised_rounding
