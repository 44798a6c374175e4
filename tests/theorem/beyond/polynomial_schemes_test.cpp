// docs/results/polynomial-schemes.md:
// Theorem 1. If links always send the nearest whole number of tokens to what their idealised flow
//     is ahead, every link has carried at most 1/2 token more or less than it, and every load is
//     within half its node's degree of the idealised one.
// Theorem 2. After one round x - y over root for each distinct eigenvalue except 0 the idealised
//     loads are the mean, so the discrepancy is at most the largest degree.
// Theorem 3. With eigenvalues in enclosures and flows rounded to multiples of 1/one, idealised
//     loads end at most as far apart as the plan says.
// Theorem 4. The Chebyshev iteration leaves at most 2 c^k / (1 + c^(2k)) of the distance from the
//     mean after k rounds.
// Theorem 5. All these schemes, and diffusion of first and second order, move the same idealised
//     flow in total: the one of smallest 2-norm.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/laplacian_spectrum.hpp"
#include "equipoise/analysis/polynomial_plan.hpp"
#include "equipoise/catalogue/registry/common/polynomial_scheme.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/protocols/polynomial_scheme.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/stored_copy.hpp"

namespace equipoise::test::polynomial_schemes {
namespace {

using analysis::RootOrder;
using network::Network;
using protocols::PolynomialScheme;

double real(Int128 value) {
    return static_cast<double>(value);
}

analysis::SchemeStart start_of(const Network& graph, const load::Loads& loads) {
    const network::AnyNetwork network(graph);
    const catalogue::NetworkFacts facts(network);
    const catalogue::Parameters none("none", {}, {});
    return catalogue::scheme_start({facts, loads, none});
}

/// A scheme and how far apart it promises to leave idealised loads, tokens.
struct Planned {
    PolynomialScheme scheme;
    double spread = 0;
    bool exact = false;
};

Planned product(const Network& graph, const load::Loads& loads, RootOrder order,
                const analysis::LaplacianSpectrum& spectrum) {
    const auto plan = plan_product(spectrum, start_of(graph, loads), order);
    PolynomialScheme::Rounds rounds;
    for (const double root : plan.roots)
        rounds.emplace_back(root, 0, plan.exact);
    return {PolynomialScheme(std::move(rounds), plan.one), plan.spread, plan.exact};
}

Planned product(const Network& graph, const load::Loads& loads, RootOrder order) {
    return product(graph, loads, order, analysis::laplacian_spectrum(network::AnyNetwork(graph)));
}

Planned chebyshev(const Network& graph, const load::Loads& loads, std::uint64_t count = 0) {
    const auto plan = plan_chebyshev(analysis::laplacian_ends(network::AnyNetwork(graph)).around(),
                                     start_of(graph, loads), count);
    PolynomialScheme::Rounds rounds;
    for (std::size_t i = 0; i < plan.roots.size(); ++i)
        rounds.emplace_back(plan.roots[i], plan.momenta[i]);
    return {PolynomialScheme(std::move(rounds), plan.one), plan.spread, false};
}

/// Diffusion with weights 1 / (largest degree + 1), of first order or with momentum.
Planned diffusion(const Network& graph, double momentum, std::size_t count) {
    PolynomialScheme::Rounds rounds;
    for (std::size_t i = 0; i < count; ++i) {
        const double own = i == 0 ? 0 : momentum;
        rounds.emplace_back((graph.degree_max() + 1.0) / (1 + own),
                            static_cast<std::uint64_t>(std::ldexp(own, 64)));
    }
    return {PolynomialScheme(std::move(rounds), Int128{1} << 90), 0, false};
}

/// What a run leaves.
struct Played {
    load::Loads loads;
    std::vector<Int128> ideal;
    std::vector<Int128> flow;  ///< idealised, of all rounds, by link
    Int128 least = 0;          ///< of all idealised loads of all rounds
};

/// Plays all rounds; Theorem 1 is checked after each.
Played play(const Network& graph, const load::Loads& loads, const PolynomialScheme& scheme) {
    model::AllLinks schedule(graph);
    engine::RoundOptions options;
    options.stop.steps_max = scheme.rounds();
    engine::EdgeRounds rounds(scheme, schedule, loads, graph, options);
    Played played;
    played.flow.assign(graph.link_count(), 0);
    for (Step round = 0; round < scheme.rounds(); ++round) {
        rounds.step();
        Int128 total = 0;
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            const Int128 ideal = rounds.node_states()[node].ideal;
            const Int128 apart = rounds.loads()[node] * scheme.one() - ideal;
            const Int128 most = scheme.one() * graph.degree(node);
            if (2 * apart > most || 2 * apart < -most) ADD_FAILURE() << "node " << node;
            total += ideal;
            played.least = std::min(played.least, ideal);
        }
        EXPECT_TRUE(total == load::total(loads) * scheme.one());
        for (LinkId link = 0; link < graph.link_count(); ++link) {
            const auto& state = rounds.link_states()[link];
            if (2 * state.behind > scheme.one() || 2 * state.behind < -scheme.one())
                ADD_FAILURE() << "link " << link;
            played.flow[link] += state.ideal;
        }
    }
    played.loads.assign(rounds.loads().begin(), rounds.loads().end());
    for (NodeId node = 0; node < graph.node_count(); ++node)
        played.ideal.push_back(loads.empty() ? 0 : rounds.node_states()[node].ideal);
    return played;
}

Tokens promised(const Network& graph, double spread) {
    std::vector<Port> degrees;
    for (NodeId node = 0; node < graph.node_count(); ++node)
        degrees.push_back(graph.degree(node));
    std::sort(degrees.rbegin(), degrees.rend());
    return theory::imitated_discrepancy(degrees[0], degrees[1], spread);
}

/// Plays to the end; the promised spread and discrepancy must hold.
Played expect_promise(const Network& graph, const load::Loads& loads, const Planned& planned) {
    const Played played = play(graph, loads, planned.scheme);
    const auto [low, high] = std::minmax_element(played.ideal.begin(), played.ideal.end());
    EXPECT_LE(real(*high - *low), planned.spread * real(planned.scheme.one()));
    EXPECT_LE(load::discrepancy(played.loads), promised(graph, planned.spread));
    EXPECT_LE(promised(graph, planned.spread), Tokens{graph.degree_max()});
    return played;
}

Network make(const std::string& spec) {
    return stored_copy(network::generate(spec, 1));
}

constexpr RootOrder all_orders[] = {RootOrder::automatic, RootOrder::descending, RootOrder::leja,
                                    RootOrder::ascending};

TEST(PolynomialSchemesTheorem2, HoldsForAllSmallLoadsOfAllGraphsUpToFiveNodes) {
    for (NodeId nodes = 2; nodes <= 5; ++nodes)
        for (const Network& graph : connected_graphs(nodes))
            for_each_loads(nodes, nodes <= 4 ? 3 : 2, [&](const load::Loads& loads) {
                expect_promise(graph, loads, product(graph, loads, RootOrder::automatic));
            });
}

TEST(PolynomialSchemesTheorem2, HoldsInAllOrdersForUnevenLoadsOfAllGraphsOfSixNodes) {
    RandomStream random(5, Purpose::sampling);
    for (const Network& graph : connected_graphs(6))
        for (const load::Loads& loads : uneven_loads(6, 1000, 2, random))
            for (const RootOrder order : all_orders)
                expect_promise(graph, loads, product(graph, loads, order));
}

TEST(PolynomialSchemesTheorem2, RoundsAreTheDimensionOfAHypercubeAndTheDiameterOfACycle) {
    for (unsigned d = 1; d <= 8; ++d) {
        const Network cube = make("hypercube:d=" + std::to_string(d));
        EXPECT_EQ(
            product(cube, load::Loads(cube.node_count(), 3), RootOrder::automatic).scheme.rounds(),
            d);
    }
    for (NodeId n = 3; n <= 40; ++n) {
        const Network cycle = make("cycle:n=" + std::to_string(n));
        EXPECT_EQ(product(cycle, load::Loads(n, 3), RootOrder::descending).scheme.rounds(), n / 2);
    }
}

TEST(PolynomialSchemesTheorem2, LoadsAreExactlyTheMeanWhereEigenvaluesAreWhole) {
    RandomStream random(7, Purpose::sampling);
    for (const std::string spec : {"hypercube:d=1", "hypercube:d=5", "complete:n=9",
                                   "star:leaves=7", "torus:4x3x2", "cycle:n=6", "mesh:3x3"}) {
        const Network graph = make(spec);
        const auto spectrum = analysis::laplacian_spectrum(network::generate(spec, 1));
        for (const load::Loads& loads : uneven_loads(graph.node_count(), 977, 3, random))
            for (const RootOrder order : {RootOrder::descending, RootOrder::ascending}) {
                const Planned planned = product(graph, loads, order, spectrum);
                EXPECT_TRUE(planned.exact) << spec;
                for (const Int128 ideal : expect_promise(graph, loads, planned).ideal)
                    EXPECT_TRUE(ideal * graph.node_count() ==
                                load::total(loads) * planned.scheme.one())
                        << spec;
            }
    }
}

TEST(PolynomialSchemesTheorem3, HoldsOnRandomGraphsInAllOrders) {
    RandomStream random(11, Purpose::sampling);
    for (int run = 0; run < 40; ++run) {
        const Network graph = random_connected_graph(20, run % 4 * 10, random);
        const load::Loads loads = random_loads(20, 5000, random);
        expect_promise(graph, loads, product(graph, loads, RootOrder::automatic));
        expect_promise(graph, loads, product(graph, loads, RootOrder::leja));
    }
}

TEST(PolynomialSchemesTheorem3, CoversEigenvaluesThatAreTakenTogetherOrTwice) {
    const Network graph = make("cycle:n=12");
    load::Loads loads(12, 0);
    loads[0] = 100'000;
    const analysis::SchemeStart start = start_of(graph, loads);
    const auto exact = analysis::laplacian_spectrum(network::AnyNetwork(graph)).distinct;
    for (const bool together : {true, false}) {
        // The two smallest in one enclosure, or the smallest in two.
        std::vector<theory::Enclosure> changed = exact;
        std::vector<double> roots;
        if (together) changed = {{exact[0].least, exact[1].most}};
        for (std::size_t i = exact.size(); i-- > (together ? 2 : 0);)
            roots.push_back((exact[i].least + exact[i].most) / 2);
        roots.push_back(together ? (exact[0].least + exact[1].most) / 2
                                 : exact[0].most * (1 + 1e-7));
        const auto bound = theory::product_bound(together ? changed : exact, roots);
        PolynomialScheme::Rounds rounds;
        for (const double root : roots)
            rounds.emplace_back(root);
        const Played played =
            play(graph, loads, PolynomialScheme(std::move(rounds), Int128{1} << 90));
        const auto [low, high] = std::minmax_element(played.ideal.begin(), played.ideal.end());
        const double most = std::sqrt(2.0) * (std::exp(bound.residual) * start.distance +
                                              std::exp(bound.noise) * start.degree_norm * 0x1p-91);
        EXPECT_LE(std::ldexp(real(*high - *low), -90), most);
        if (together) {
            EXPECT_GT(std::ldexp(real(*high - *low), -90), 1);
        }
    }
}

TEST(PolynomialSchemesTheorem4, HoldsAfterEveryRoundAndAtTheEnd) {
    RandomStream random(13, Purpose::sampling);
    for (int run = 0; run < 12; ++run) {
        const Network graph = run < 2 ? make(run == 0 ? "complete:n=6" : "cycle:n=17")
                                      : random_connected_graph(15, run * 3, random);
        const load::Loads loads = random_loads(graph.node_count(), 4000, random);
        expect_promise(graph, loads, chebyshev(graph, loads));
        for (std::uint64_t count = 1; count <= 40; ++count) {
            const Planned planned = chebyshev(graph, loads, count);
            const Played played = play(graph, loads, planned.scheme);
            const auto [low, high] = std::minmax_element(played.ideal.begin(), played.ideal.end());
            EXPECT_LE(real(*high - *low), planned.spread * real(planned.scheme.one()));
            EXPECT_LE(load::discrepancy(played.loads), promised(graph, planned.spread));
        }
    }
}

TEST(PolynomialSchemesTheorem5, AllSchemesMoveTheFlowOfSmallestNorm) {
    RandomStream random(17, Purpose::sampling);
    constexpr double tolerance = 1e-3;
    for (int run = 0; run < 10; ++run) {
        const Network graph = random_connected_graph(12, 14, random);
        const load::Loads loads = random_loads(12, 900, random);
        std::vector<Planned> schemes;
        for (const RootOrder order : all_orders)
            schemes.push_back(product(graph, loads, order));
        schemes.push_back(chebyshev(graph, loads));
        schemes.push_back(diffusion(graph, 0, 3000));
        schemes.push_back(diffusion(graph, 0.4, 1500));
        std::vector<double> first;
        for (const Planned& planned : schemes) {
            const Played played = play(graph, loads, planned.scheme);
            const double one = real(planned.scheme.one());
            // A flow of smallest norm is one of differences of potentials, and the only one with
            // its sums at the nodes.
            std::vector<std::optional<double>> potential(12);
            potential[0] = 0;
            for (int pass = 0; pass < 12; ++pass)
                for (LinkId link = 0; link < graph.link_count(); ++link) {
                    const auto [tail, head] = graph.ends(link);
                    const double flow = real(played.flow[link]) / one;
                    if (potential[tail] && !potential[head])
                        potential[head] = *potential[tail] - flow;
                    else if (potential[head] && !potential[tail])
                        potential[tail] = *potential[head] + flow;
                }
            std::vector<double> flows;
            std::vector<double> moved(12, 0);
            for (LinkId link = 0; link < graph.link_count(); ++link) {
                const auto [tail, head] = graph.ends(link);
                flows.push_back(real(played.flow[link]) / one);
                EXPECT_NEAR(flows.back(), *potential[tail] - *potential[head], tolerance);
                moved[tail] -= flows.back();
                moved[head] += flows.back();
            }
            for (NodeId node = 0; node < 12; ++node)
                EXPECT_NEAR(static_cast<double>(loads[node]) + moved[node],
                            static_cast<double>(load::total(loads)) / 12, tolerance);
            if (first.empty()) first = flows;
            for (LinkId link = 0; link < graph.link_count(); ++link)
                EXPECT_NEAR(flows[link], first[link], tolerance);
        }
    }
}

/// By how much, as a power of two, the rounds after a round multiply its errors in the largest
/// eigenvector; the largest, and its round (from 1).
std::pair<double, std::size_t> largest_growth(const std::vector<double>& roots) {
    std::pair<double, std::size_t> largest{0, 0};
    double growth = 0;
    for (std::size_t round = roots.size(); round > 0; --round) {
        if (growth > largest.first) largest = {growth, round};
        growth += std::log2(std::abs(1 - roots.front() / roots[round - 1]));
    }
    return largest;
}

TEST(PolynomialSchemesMeasured, OnTheCycleOf64AnErrorOfRound16GrowsMostBy2To46Point8) {
    const Network cycle = make("cycle:n=64");
    const auto plan = plan_product(analysis::laplacian_spectrum(network::AnyNetwork(cycle)),
                                   start_of(cycle, load::Loads(64, 65)), RootOrder::descending);
    const auto [growth, round] = largest_growth(plan.roots);
    EXPECT_NEAR(growth, 46.8, 0.05);
    EXPECT_TRUE(round == 16 || round == 17) << "round 17 multiplies by 1";
}

// Measured, not proved: descending order keeps idealised loads at 0 or more. By linearity spikes
// are enough.
TEST(PolynomialSchemesMeasured, DescendingOrderKeepsLoadsAboveZeroOnAllGraphsUpToSixNodes) {
    for (NodeId nodes = 2; nodes <= 6; ++nodes)
        for (const Network& graph : connected_graphs(nodes))
            for (NodeId node = 0; node < nodes; ++node) {
                load::Loads loads(nodes, 0);
                loads[node] = 1'000'000;
                const Planned planned = product(graph, loads, RootOrder::descending);
                const Played played = play(graph, loads, planned.scheme);
                EXPECT_GE(real(played.least), -1e-6 * real(planned.scheme.one()));
            }
}

}  // namespace
}  // namespace equipoise::test::polynomial_schemes
