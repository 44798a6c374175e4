// Averaging over random links on networks that look like trees around every node
// (docs/results/cutoff.md).
//
// Lemma 1. Given the links, E|x - mean|^2 of whole loads is |y - mean|^2 of real ones and at most
// (n - 1) / 2 more.
//
// Lemma 2. From real loads that are drawn independently with variance v, given the links, the
// expected |y - mean|^2 is v times the sum of |y - mean|^2 from one unit at every node in turn.
//
// Lemma 3. From one unit at a node the expected sum of squares is the probability that two walks
// over the same links are at the same node, and on a tree of degree d their distance goes from 0 to
// 1 at rate d / 2, from 1 to 0 at 1/2, up from r >= 1 at d - 1 and down from r >= 2 at 1, if each
// link averages at rate 1.
//
// Theorem 4. The spectrum of this chain begins at averaging_decay(d).

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/theory/coin_averaging.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/whole_beside_real.hpp"

namespace equipoise::test::cutoff {
namespace {

using network::Network;

template <class Load>
double away_from_mean(const std::vector<Load>& loads) {
    double sum = 0;
    double squares = 0;
    for (const Load load : loads) {
        sum += static_cast<double>(load);
        squares += static_cast<double>(load) * static_cast<double>(load);
    }
    return squares - sum * sum / static_cast<double>(loads.size());
}

constexpr double rounding = 1e-10;

Arrival nothing(Step /*step*/, Ends link) {
    return {link.tail, 0};
}

TEST(Cutoff, OfWholeLoadsIsThatOfRealOnesAndAtMostHalfASquareANodeMore) {
    for (NodeId nodes = 2; nodes <= 4; ++nodes)
        for (const Network& network : connected_graphs(nodes))
            for (const Tokens tokens : {Tokens{1}, Tokens{7}, Tokens{12}}) {
                load::Loads start(nodes, 0);
                start[0] = tokens;
                for_each_sequence(
                    network, start, nothing, 4, [&](const Beside& now, Step /*step*/) {
                        const double added =
                            expected(now.whole, away_from_mean<Tokens>) - away_from_mean(now.real);
                        EXPECT_GE(added, -rounding);
                        EXPECT_LE(added, (nodes - 1) / 2.0 + rounding);
                    });
            }
}

/// Real loads after a sequence of links.
std::vector<double> averaged(std::vector<double> loads, const std::vector<Ends>& links) {
    for (const Ends& link : links)
        loads[link.tail] = loads[link.head] = (loads[link.tail] + loads[link.head]) / 2;
    return loads;
}

TEST(Cutoff, FromIndependentLoadsIsTheMeanOfThatFromEveryNode) {
    constexpr double variance = 2.0 / 3;  // of 0, 1 and 2, equally likely
    for (NodeId nodes = 2; nodes <= 4; ++nodes)
        for (const Network& network : connected_graphs(nodes)) {
            std::vector<Ends> links;
            const auto compare = [&](const auto& self) -> void {
                double drawn = 0;
                double count = 0;
                for_each_loads(nodes, 2, [&](const load::Loads& start) {
                    drawn += away_from_mean(averaged({start.begin(), start.end()}, links));
                    ++count;
                });
                double from_nodes = 0;
                for (NodeId node = 0; node < nodes; ++node) {
                    std::vector<double> unit(nodes, 0.0);
                    unit[node] = 1;
                    from_nodes += away_from_mean(averaged(unit, links));
                }
                EXPECT_NEAR(drawn / count, variance * from_nodes, rounding);
                if (links.size() == 3) return;
                for (LinkId link = 0; link < network.link_count(); ++link) {
                    links.push_back(network.ends(link));
                    self(self);
                    links.pop_back();
                }
            };
            compare(compare);
        }
}

// ---- Lemma 3

/// A cubic network in Lederberg, Coxeter and Frucht's notation: a ring, and from each node a link
/// to the node that many places on.
Network cubic(NodeId nodes, const std::vector<int>& jumps) {
    std::vector<Ends> links;
    for (NodeId node = 0; node < nodes; ++node) {
        links.push_back({node, (node + 1) % nodes});
        const int jump = jumps[node % jumps.size()];
        const auto other =
            static_cast<NodeId>((static_cast<int>(node + nodes) + jump) % static_cast<int>(nodes));
        if (node < other) links.push_back({node, other});
    }
    return {nodes, std::move(links)};
}

/// The expected sum of squares from one unit at node 0, by the probabilities of both walks.
std::vector<double> sums_of_squares(const Network& network, int steps) {
    using Matrix = std::vector<std::vector<double>>;
    const NodeId nodes = network.node_count();
    Matrix both(nodes, std::vector<double>(nodes, 0.0));
    both[0][0] = 1;
    std::vector<double> sums;
    for (int step = 0;; ++step) {
        double sum = 0;
        for (NodeId v = 0; v < nodes; ++v)
            sum += both[v][v];
        sums.push_back(sum);
        if (step == steps) return sums;
        Matrix next(nodes, std::vector<double>(nodes, 0.0));
        for (LinkId link = 0; link < network.link_count(); ++link) {
            const Ends ends = network.ends(link);
            Matrix moved = both;
            for (NodeId v = 0; v < nodes; ++v)
                moved[ends.tail][v] = moved[ends.head][v] =
                    (moved[ends.tail][v] + moved[ends.head][v]) / 2;
            for (NodeId v = 0; v < nodes; ++v)
                moved[v][ends.tail] = moved[v][ends.head] =
                    (moved[v][ends.tail] + moved[v][ends.head]) / 2;
            for (NodeId u = 0; u < nodes; ++u)
                for (NodeId v = 0; v < nodes; ++v)
                    next[u][v] += moved[u][v] / static_cast<double>(network.link_count());
        }
        both = std::move(next);
    }
}

/// The rates of the distance on the tree of degree d.
struct Rates {
    double down;
    double up;
};
Rates rates_at(std::size_t distance, double d) {
    if (distance == 0) return {0, d / 2};
    return {distance == 1 ? 0.5 : 1, d - 1};
}

/// The probability that the distance is 0, by steps of which each is one link of `links`.
std::vector<double> together(double d, double links, int steps) {
    std::vector<double> law(static_cast<std::size_t>(steps) + 2, 0.0);
    law[0] = 1;
    std::vector<double> found = {1};
    for (int step = 0; step < steps; ++step) {
        std::vector<double> next = law;
        for (std::size_t r = 0; r + 1 < law.size(); ++r) {
            const Rates rates = rates_at(r, d);
            next[r] -= law[r] * (rates.up + rates.down) / links;
            next[r + 1] += law[r] * rates.up / links;
            if (r > 0) next[r - 1] += law[r] * rates.down / links;
        }
        law = std::move(next);
        found.push_back(law[0]);
    }
    return found;
}

TEST(Cutoff, WalksMeetOnCubicNetworksAsOnTheTreeUntilTheyCanGoRoundACycle) {
    const std::vector<std::pair<Network, int>> cages = {
        {cubic(14, {5, -5}), 6},                  // Heawood
        {cubic(24, {12, 7, -7}), 7},              // McGee
        {cubic(30, {-13, -9, 7, -7, 9, 13}), 8},  // Tutte and Coxeter
    };
    for (const auto& [network, girth] : cages) {
        ASSERT_EQ(network.link_count() * 2, network.node_count() * 3U);
        const auto links = static_cast<double>(network.link_count());
        const auto there = sums_of_squares(network, 12);
        const auto tree = together(3, links, 12);
        for (int step = 0; step < girth; ++step)
            EXPECT_NEAR(there[static_cast<std::size_t>(step)], tree[static_cast<std::size_t>(step)],
                        1e-12)
                << network.node_count() << " nodes, step " << step;
        EXPECT_GT(there.back(), tree.back());
    }
}

// ---- Theorem 4

/// How many eigenvalues of the chain's symmetric matrix, cut off at this distance, are below a
/// number: the signs of its factorisation (Sturm).
int eigenvalues_below(double number, double d, std::size_t distances) {
    int count = 0;
    double pivot = 1;
    for (std::size_t r = 0; r < distances; ++r) {
        const Rates rates = rates_at(r, d);
        const double side = r == 0 ? 0 : rates_at(r - 1, d).up * rates.down;
        pivot = rates.up + rates.down - number - side / pivot;
        if (pivot == 0) pivot = 1e-300;
        if (pivot < 0) ++count;
    }
    return count;
}

TEST(Cutoff, DecaysOnTreesOfEveryDegreeUpToAHundredAsTheoremFourSays) {
    for (std::uint64_t degree = 3; degree <= 100; ++degree) {
        const auto d = static_cast<double>(degree);
        const double decay = theory::averaging_decay(degree);
        EXPECT_EQ(eigenvalues_below(decay - 1e-9, d, 2000), 0) << degree;
        // A cut makes eigenvalues larger: at the edge of a band by about (pi / distance)^2.
        EXPECT_GE(eigenvalues_below(decay + 1e-4 * d, d, 2000), 1) << degree;
        // Above 10 it is an eigenvalue of its own: the next is not near.
        if (degree > 10) {
            EXPECT_EQ(eigenvalues_below((decay + d - 2 * std::sqrt(d - 1)) / 2, d, 2000), 1)
                << degree;
        }
    }
}

}  // namespace
}  // namespace equipoise::test::cutoff
