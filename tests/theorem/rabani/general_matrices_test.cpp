// Rabani, Sinclair, Wanka 1998, Sections 2 and 3, for round matrices that are not symmetric.
//
// Section 2. "The term diffusion refers to any discretization of the iteration xi' = xi P where P
// is an ergodic, doubly stochastic matrix." "One can round either the individual load transfers or
// the net load transfer"; "our analysis is quite robust and applies (with minor modifications) to
// any reasonable discretization."
//
// Theorem 1, with mu the gap of P P^T; Theorem 2, max |xi - x| <= Psi(P^T); Theorem 4 and Corollary
// 5, Psi(P^T) = O(d log N / mu). With constants, q a common divisor of both weights of each link: a
// net flow that is rounded down, or two transfers that are, leave at most (q - 1) / q on a link,
// and transfers that are each rounded up or down as one likes at most twice that.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/local_divergence.hpp"
#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/protocols/baselines/randomised_diffusion.hpp"
#include "equipoise/protocols/diffusion.hpp"
#include "equipoise/theory/diffusion.hpp"
#include "tests/support/connected_graphs.hpp"

namespace equipoise::test {
namespace {

using analysis::DiffusionMatrix;
using protocols::WeightedDiffusion;

constexpr double float_slack = 1e-9;

/// P_tail,head = forth / q and P_head,tail = back / q.
struct Whole {
    network::Network graph;
    std::vector<Tokens> forth;
    std::vector<Tokens> back;
    Tokens divisor = 1;

    [[nodiscard]] DiffusionMatrix matrix() const {
        std::vector<double> there;
        std::vector<double> back_again;
        for (std::size_t link = 0; link < forth.size(); ++link) {
            there.push_back(static_cast<double>(forth[link]) / static_cast<double>(divisor));
            back_again.push_back(static_cast<double>(back[link]) / static_cast<double>(divisor));
        }
        return {
            graph.node_count(), {graph.links().begin(), graph.links().end()}, there, back_again};
    }
    [[nodiscard]] std::vector<WeightedDiffusion::Weight> weights() const {
        std::vector<WeightedDiffusion::Weight> result;
        for (std::size_t link = 0; link < forth.size(); ++link)
            result.push_back({forth[link], back[link], divisor});
        return result;
    }
};

/// Adds `more` to the weights of the arcs from each of these nodes to the next, and from the last
/// to the first: rows and columns keep equal sums.
void send_round(Whole& whole, const std::vector<NodeId>& cycle, Tokens more) {
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        const NodeId from = cycle[i];
        const NodeId to = cycle[(i + 1) % cycle.size()];
        for (LinkId link = 0; link < whole.graph.link_count(); ++link) {
            const auto [tail, head] = whole.graph.ends(link);
            if (tail == from && head == to) whole.forth[link] += more;
            if (head == from && tail == to) whole.back[link] += more;
        }
    }
}

/// All simple cycles of three or more nodes, in both directions, that begin at their least node.
void cycles_from(const network::Network& graph, std::vector<NodeId>& walk,
                 std::vector<std::vector<NodeId>>& found) {
    for (const NodeId next : graph.neighbours(walk.back())) {
        if (next == walk.front() && walk.size() > 2) found.push_back(walk);
        if (next <= walk.front() || std::find(walk.begin(), walk.end(), next) != walk.end())
            continue;
        walk.push_back(next);
        cycles_from(graph, walk, found);
        walk.pop_back();
    }
}

/// Every connected graph of three to five nodes with every one of its cycles favoured, and cycles
/// that tokens go round in one direction only.
std::vector<Whole> matrices() {
    std::vector<Whole> result;
    for (NodeId nodes = 3; nodes <= 5; ++nodes) {
        for (const network::Network& graph : connected_graphs(nodes)) {
            std::vector<std::vector<NodeId>> cycles;
            for (NodeId least = 0; least < nodes; ++least) {
                std::vector<NodeId> walk{least};
                cycles_from(graph, walk, cycles);
            }
            for (const std::vector<NodeId>& cycle : cycles) {
                Whole whole{graph, std::vector<Tokens>(graph.link_count(), 1),
                            std::vector<Tokens>(graph.link_count(), 1),
                            Tokens{graph.degree_max()} + 3};
                send_round(whole, cycle, 2);
                result.push_back(whole);
            }
        }
    }
    for (NodeId nodes = 3; nodes <= 8; ++nodes) {
        std::vector<Ends> links;
        for (NodeId node = 0; node + 1 < nodes; ++node)
            links.push_back({node, node + 1});
        links.push_back({0, nodes - 1});
        std::vector<NodeId> all(nodes);
        std::iota(all.begin(), all.end(), NodeId{0});
        Whole whole{network::Network(nodes, links), std::vector<Tokens>(nodes, 0),
                    std::vector<Tokens>(nodes, 0), 3};
        send_round(whole, all, 2);
        result.push_back(whole);
    }
    return result;
}

/// Rows of P, with the diagonal.
std::vector<std::vector<double>> dense(const Whole& whole) {
    const NodeId nodes = whole.graph.node_count();
    const auto q = static_cast<double>(whole.divisor);
    std::vector<std::vector<double>> rows(nodes, std::vector<double>(nodes, 0));
    for (LinkId link = 0; link < whole.graph.link_count(); ++link) {
        const auto [tail, head] = whole.graph.ends(link);
        rows[tail][head] = static_cast<double>(whole.forth[link]) / q;
        rows[head][tail] = static_cast<double>(whole.back[link]) / q;
    }
    for (NodeId node = 0; node < nodes; ++node)
        rows[node][node] = 1 - std::accumulate(rows[node].begin(), rows[node].end(), 0.0);
    return rows;
}

/// Psi(P^T) by Definition 2, over as many rounds as leave nothing.
double divergence_by_definition(const Whole& whole) {
    const std::vector<std::vector<double>> rows = dense(whole);
    const std::size_t nodes = rows.size();
    double largest = 0;
    for (std::size_t source = 0; source < nodes; ++source) {
        std::vector<double> row(nodes, 0);
        row[source] = 1;
        double sum = 0;
        for (int round = 0; round < 4000; ++round) {
            for (const auto& [tail, head] : whole.graph.links())
                sum += std::abs(row[tail] - row[head]);
            std::vector<double> next(nodes, 0);
            for (std::size_t i = 0; i < nodes; ++i)
                for (std::size_t j = 0; j < nodes; ++j)
                    next[j] += row[i] * rows[j][i];  // row P^T
            row.swap(next);
        }
        largest = std::max(largest, sum);
    }
    return largest;
}

analysis::Estimate divergence_of(const Whole& whole) {
    const DiffusionMatrix matrix = whole.matrix();
    return analysis::local_divergence(matrix.transposed(), second_eigenvalue(matrix));
}

TEST(GeneralMatrices, PsiOfTheTransposeIsTheSumOfDefinition2) {
    std::size_t lopsided = 0;
    for (const Whole& whole : matrices()) {
        lopsided += whole.matrix().symmetric() ? 0 : 1;
        const analysis::Estimate psi = divergence_of(whole);
        EXPECT_TRUE(psi.certified);
        EXPECT_NEAR(psi.value, divergence_by_definition(whole), 1e-7);
    }
    EXPECT_GT(lopsided, 100U);
}

TEST(GeneralMatrices, TransposeHasTheSameGapAndTheMatrixTimesItIsWhatIsMultiplied) {
    for (const Whole& whole : matrices()) {
        const DiffusionMatrix matrix = whole.matrix();
        EXPECT_NEAR(second_eigenvalue(matrix).value, second_eigenvalue(matrix.transposed()).value,
                    1e-12);
        const std::vector<std::vector<double>> rows = dense(whole);
        std::vector<double> in(rows.size());
        std::iota(in.begin(), in.end(), 1.0);
        std::vector<double> there(in.size());
        std::vector<double> back(in.size());
        matrix.apply(in, there);
        matrix.apply_transposed(in, back);
        for (std::size_t i = 0; i < in.size(); ++i) {
            double in_p = 0;
            double in_p_transposed = 0;
            for (std::size_t j = 0; j < in.size(); ++j) {
                in_p += in[j] * rows[j][i];
                in_p_transposed += in[j] * rows[i][j];
            }
            EXPECT_NEAR(there[i], in_p, float_slack);
            EXPECT_NEAR(back[i], in_p_transposed, float_slack);
        }
    }
}

TEST(Theorem1GeneralMatrices, HoldsForSpikesAtEveryNode) {
    constexpr Tokens tokens = 1000;
    for (const Whole& whole : matrices()) {
        const DiffusionMatrix matrix = whole.matrix();
        const double gap = 1 - second_eigenvalue(matrix).upper();
        ASSERT_GT(gap, 1e-3);
        for (const double smoothness : {100.0, 1.0, 0.01}) {
            const std::uint64_t rounds =
                theory::idealised_smoothing_rounds(matrix.node_count(), tokens, gap, smoothness);
            for (NodeId node = 0; node < matrix.node_count(); ++node) {
                std::vector<double> loads(matrix.node_count(), 0);
                std::vector<double> next(loads.size());
                loads[node] = tokens;
                for (std::uint64_t round = 0; round < rounds; ++round) {
                    matrix.apply(loads, next);
                    loads.swap(next);
                }
                const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
                EXPECT_LE(*most - *least, smoothness);
            }
        }
    }
}

TEST(Theorem4GeneralMatrices, BoundsTheLocalDivergenceByTheGap) {
    for (const Whole& whole : matrices()) {
        const double gap = 1 - second_eigenvalue(whole.matrix()).upper();
        EXPECT_LE(divergence_of(whole).upper(),
                  theory::local_divergence_bound(whole.graph.node_count(), whole.graph.degree_max(),
                                                 gap, false));
    }
}

/// Every single transfer goes up or down by a coin, so nodes may send what they do not have.
class AnyRounding {
  public:
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;
    static constexpr bool may_owe = true;

    explicit AnyRounding(std::vector<WeightedDiffusion::Weight> by_slot)
        : by_slot_(std::move(by_slot)) {}
    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep at) const {
        const auto& [forth, back, divisor] = by_slot_[at.slot];
        RandomStream coins = at.random();
        return {rounded(tail.load * forth, divisor, coins.coin()) -
                    rounded(head.load * back, divisor, coins.coin()),
                {}};
    }

  private:
    static Tokens rounded(Tokens product, Tokens divisor, bool up) {
        const Tokens rest = (product % divisor + divisor) % divisor;
        return (product - rest) / divisor + (up && rest != 0 ? 1 : 0);
    }
    std::vector<WeightedDiffusion::Weight> by_slot_;
};

static_assert(model::EdgeRule<AnyRounding>);

/// The largest deviation of a rule from the idealised process over some rounds; also checks that
/// tokens are kept and, unless the rule may owe, never below 0.
template <class Rule>
double deviation_of(const Rule& rule, const Whole& whole, const load::Loads& loads, int rounds) {
    const DiffusionMatrix matrix = whole.matrix();
    model::AllLinks schedule(whole.graph);
    engine::EdgeRounds play(rule, schedule, loads, whole.graph, {});
    std::vector<double> ideal(loads.begin(), loads.end());
    std::vector<double> next(ideal.size());
    double largest = 0;
    for (int round = 0; round < rounds; ++round) {
        play.step();
        matrix.apply(ideal, next);
        ideal.swap(next);
        for (std::size_t node = 0; node < ideal.size(); ++node) {
            const Tokens load = play.loads()[node];
            EXPECT_TRUE(model::MayOwe<Rule> || load >= 0);
            largest = std::max(largest, std::abs(static_cast<double>(load) - ideal[node]));
        }
    }
    return largest;
}

TEST(Theorem2GeneralMatrices, DeviationIsWithinTheDivergenceOfTheTransposeHoweverItIsRounded) {
    RandomStream random(23, Purpose::sampling);
    double nearest = 0;
    for (const Whole& whole : matrices()) {
        const double psi = divergence_of(whole).upper();
        const double bound = theory::diffusion_deviation(psi, whole.divisor) + float_slack;
        const double loose = theory::transfer_deviation(psi, whole.divisor) + float_slack;
        const WeightedDiffusion net(whole.weights());
        const WeightedDiffusion down(whole.weights(), WeightedDiffusion::Rounding::down);
        const AnyRounding any(whole.weights());
        const auto check = [&](const load::Loads& loads, int rounds) {
            const double deviation = deviation_of(net, whole, loads, rounds);
            nearest = std::max(nearest, deviation / bound);
            EXPECT_LE(deviation, bound);
            EXPECT_LE(deviation_of(down, whole, loads, rounds), bound);
            EXPECT_LE(deviation_of(any, whole, loads, rounds), loose);
        };
        const NodeId nodes = whole.graph.node_count();
        if (nodes <= 4)
            for_each_loads(nodes, 3, [&](const load::Loads& loads) { check(loads, 20); });
        for (const load::Loads& loads : uneven_loads(nodes, 97, 8, random))
            check(loads, 80);
    }
    EXPECT_GT(nearest, 0.5) << "the bound is not idle";
}

TEST(Theorem2SingleTransfers, HoldsForRandomisedDiffusionWhichRoundsEveryTransferUpOrDown) {
    RandomStream random(25, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 5; ++nodes) {
        for (const network::Network& graph : connected_graphs(nodes)) {
            const auto matrix = DiffusionMatrix::uniform(network::AnyNetwork(graph));
            const double bound = theory::transfer_deviation(
                analysis::local_divergence(matrix, second_eigenvalue(matrix)).upper(),
                Tokens{graph.degree_max()} + 1);
            for (const load::Loads& loads : uneven_loads(nodes, 97, 6, random)) {
                engine::DealRounds play(
                    protocols::baselines::RandomisedDiffusion(graph.degree_max()), loads, graph,
                    {});
                std::vector<double> ideal(loads.begin(), loads.end());
                std::vector<double> next(ideal.size());
                for (int round = 0; round < 60; ++round) {
                    play.step();
                    matrix.apply(ideal, next);
                    ideal.swap(next);
                    for (std::size_t node = 0; node < ideal.size(); ++node)
                        EXPECT_LE(std::abs(static_cast<double>(play.loads()[node]) - ideal[node]),
                                  bound + float_slack);
                }
            }
        }
    }
}

TEST(Corollary3GeneralMatrices, DiscrepancyIsWithinTheBoundAfterTheRoundsOfTheorem1) {
    RandomStream random(24, Purpose::sampling);
    constexpr Tokens tokens = 500;
    for (const Whole& whole : matrices()) {
        const NodeId nodes = whole.graph.node_count();
        const double gap = 1 - second_eigenvalue(whole.matrix()).upper();
        const std::uint64_t rounds = theory::idealised_smoothing_rounds(nodes, tokens, gap, 1);
        const Tokens bound = theory::token_discrepancy(
            1, theory::diffusion_deviation(divergence_of(whole).upper(), whole.divisor));
        for (const auto rounding_of :
             {WeightedDiffusion::Rounding::net, WeightedDiffusion::Rounding::down}) {
            for (const load::Loads& loads : uneven_loads(nodes, tokens, 3, random)) {
                model::AllLinks schedule(whole.graph);
                engine::EdgeRounds play(WeightedDiffusion(whole.weights(), rounding_of), schedule,
                                        loads, whole.graph, {});
                for (std::uint64_t round = 0; round < rounds; ++round)
                    play.step();
                EXPECT_LE(load::discrepancy(play.loads()), bound);
            }
        }
    }
}

}  // namespace
}  // namespace equipoise::test
