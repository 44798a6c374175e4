// Is it 2 and not 3 that averaging with a coin leaves (docs/results/coin-averaging.md)?
//
// Lemma 4. Tokens can be told apart such that each makes a lazy random walk along the active links
// and two of them share a node at most as probably as independent ones, while every node of the
// largest load K keeps one marked token until it has fewer. So with F the matrix of probabilities
// that two independent walks meet, the expected number of nodes with K tokens is at most
// (a F x - sum of F_vv over a) / (K - 1), a marking the nodes that begin with K.
//
// Theorem 5. After averaging_steps_to_two steps the discrepancy is above 2 with probability at most
// delta, on every connected network.
//
// Theorem 6. On the complete network, with one random pair a step, the number of nodes with the
// least load times that with the largest, 3 more, is expected to shrink by exactly 1 - 2/n a step.
// From halves of 0 and 3 a discrepancy of 3 is left with a probability between bounds that tend to
// 1/49 and 1/36 at the spectral time of more and more nodes.
//
// Theorem 7. From loads of 1 except for one 0 and one 2 on the complete network a discrepancy of 2
// is left with probability exactly (1 - 2 / (n (n - 1)))^steps.
//
// Theorem 8. The expected discrepancy is at least 2 (1 - p l2 / 2)^t |w x| / sum |w|, w an
// eigenvector of l2, if every link is active with probability p.

#include "equipoise/analysis/averaging_tail.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/laplacian_spectrum.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/generators/classic.hpp"
#include "equipoise/theory/coin_averaging.hpp"
#include "tests/support/connected_graphs.hpp"

namespace equipoise::test::averaging_tail {
namespace {

using analysis::AveragingTail;
using network::Network;

double smallest_eigenvalue(const Network& network) {
    return analysis::laplacian_ends(network::AnyNetwork(network)).smallest.least;
}

/// ln(K n) 2 m / l2, K = 3.
Step spectral_time(const Network& network) {
    return static_cast<Step>(std::ceil(std::log(3.0 * network.node_count()) * 2 *
                                       static_cast<double>(network.link_count()) /
                                       smallest_eigenvalue(network)));
}

/// The loads after some steps, each with its probability: forwards, from one start.
std::map<load::Loads, double> after_steps(const Network& network, const load::Loads& start,
                                          Step steps) {
    std::map<load::Loads, double> now = {{start, 1.0}};
    for (Step step = 0; step < steps; ++step) {
        std::map<load::Loads, double> next;
        for (const auto& [loads, probability] : now)
            for (LinkId link = 0; link < network.link_count(); ++link) {
                const Ends ends = network.ends(link);
                const Tokens sum = loads[ends.tail] + loads[ends.head];
                const double share = probability / (2 * static_cast<double>(network.link_count()));
                for (const Tokens coin : {Tokens{0}, sum % 2}) {
                    load::Loads moved = loads;
                    moved[ends.tail] = sum / 2 + coin;
                    moved[ends.head] = sum - moved[ends.tail];
                    next[moved] += share;
                }
            }
        now = std::move(next);
    }
    return now;
}

double expected(const std::map<load::Loads, double>& distribution,
                const std::function<double(const load::Loads&)>& value) {
    double sum = 0;
    for (const auto& [loads, probability] : distribution)
        sum += probability * value(loads);
    return sum;
}

double above(const std::map<load::Loads, double>& distribution, Tokens goal) {
    return expected(distribution, [&](const load::Loads& loads) {
        return load::discrepancy(loads) > goal ? 1.0 : 0.0;
    });
}

TEST(AveragingTail, IsWhatTheLoadsOfEveryStepGiveOnEveryNetworkOfUpToFourNodes) {
    for (NodeId nodes = 2; nodes <= 4; ++nodes)
        for (const Network& network : connected_graphs(nodes))
            for (const Tokens goal : {Tokens{1}, Tokens{2}}) {
                AveragingTail tail(network, 3, goal);
                for (Step steps = 0; steps <= 4; ++steps, tail.step())
                    for_each_loads(nodes, 3, [&](const load::Loads& start) {
                        EXPECT_NEAR(tail.from(start),
                                    above(after_steps(network, start, steps), goal), 1e-12);
                    });
            }
}

TEST(AveragingTail, RefusesNetworksWithTooManyLoadsOrNoLink) {
    EXPECT_THROW(AveragingTail(network::make_path(12), 3, 2), UnsuitableError);
    EXPECT_THROW(AveragingTail(network::make_path(1), 3, 2), UnsuitableError);
}

// ---- Lemma 4

/// How many ways to choose k of n.
double choices(Tokens n, Tokens k) {
    double ways = 1;
    for (Tokens i = 0; i < k; ++i)
        ways = ways * static_cast<double>(n - i) / static_cast<double>(i + 1);
    return n < k ? 0 : ways;
}

TEST(AveragingTail, PutsTwoTokensOfAnActiveLinkAtOneEndAtMostHalfTheTime) {
    for (Tokens sum = 2; sum <= 40; ++sum) {
        const double at_one_end = choices(sum / 2, 2) + choices(sum - sum / 2, 2);
        EXPECT_LT(at_one_end, choices(sum, 2) / 2) << sum;
        // Two nodes of K tokens: the marked ones apart, the K - 1 others of each dealt anew.
        EXPECT_LT(2 * choices(sum, 2), choices(2 * sum, 2) / 2 + 1e-9) << sum;
    }
}

/// F_t: with what probability independent walks from two nodes, over the same links, meet.
class Meetings {
  public:
    explicit Meetings(const Network& network)
        : network_(network), f_(network.node_count(), std::vector<double>(network.node_count())) {
        for (NodeId node = 0; node < network.node_count(); ++node)
            f_[node][node] = 1;
    }
    void step() {
        const NodeId nodes = network_.node_count();
        std::vector<std::vector<double>> sum(nodes, std::vector<double>(nodes));
        for (LinkId link = 0; link < network_.link_count(); ++link) {
            const Ends ends = network_.ends(link);
            auto averaged = f_;
            for (NodeId v = 0; v < nodes; ++v)
                averaged[ends.tail][v] = averaged[ends.head][v] =
                    (f_[ends.tail][v] + f_[ends.head][v]) / 2;
            for (NodeId v = 0; v < nodes; ++v)
                averaged[v][ends.tail] = averaged[v][ends.head] =
                    (averaged[v][ends.tail] + averaged[v][ends.head]) / 2;
            for (NodeId u = 0; u < nodes; ++u)
                for (NodeId v = 0; v < nodes; ++v)
                    sum[u][v] += averaged[u][v] / static_cast<double>(network_.link_count());
        }
        f_ = std::move(sum);
    }
    /// (a F x - sum of F_vv over a) / (K - 1)
    [[nodiscard]] double bound(const load::Loads& loads, Tokens most) const {
        double sum = 0;
        for (NodeId u = 0; u < loads.size(); ++u) {
            if (loads[u] != most) continue;
            sum -= f_[u][u];
            for (NodeId v = 0; v < loads.size(); ++v)
                sum += f_[u][v] * static_cast<double>(loads[v]);
        }
        return sum / static_cast<double>(most - 1);
    }

  private:
    const Network& network_;
    std::vector<std::vector<double>> f_;
};

/// Expected numbers of nodes with `most` tokens, from all loads of 0 .. `most`, backwards.
class FullNodes {
  public:
    FullNodes(const Network& network, Tokens most) : network_(network) {
        for_each_loads(network.node_count(), most, [&](const load::Loads& loads) {
            values_[loads] = static_cast<double>(std::count(loads.begin(), loads.end(), most));
        });
    }
    void step() {
        std::map<load::Loads, double> before;
        for (const auto& [loads, value] : values_)
            before[loads] = expected(after_steps(network_, loads, 1),
                                     [&](const load::Loads& after) { return values_.at(after); });
        values_ = std::move(before);
    }
    [[nodiscard]] const std::map<load::Loads, double>& values() const { return values_; }

  private:
    const Network& network_;
    std::map<load::Loads, double> values_;
};

void expect_lemma_4(const Network& network, Tokens most, Step steps) {
    FullNodes full(network, most);
    Meetings meetings(network);
    for (Step step = 0; step < steps; ++step) {
        full.step();
        meetings.step();
        for (const auto& [loads, value] : full.values())
            ASSERT_LE(value, meetings.bound(loads, most) + 1e-9)
                << network.node_count() << " nodes, step " << step;
    }
}

TEST(AveragingTail, KeepsNodesAtTheTopNoMoreOftenThanIndependentWalksMeet) {
    for (NodeId nodes = 2; nodes <= 4; ++nodes)
        for (const Network& network : connected_graphs(nodes))
            for (const Tokens most : {Tokens{2}, Tokens{3}, Tokens{4}})
                expect_lemma_4(network, most, 10);
    for (const Network& network : connected_graphs(5))
        expect_lemma_4(network, 3, 5);
}

// ---- Theorem 5

TEST(AveragingTail, IsBelowSevenEighthsToThePowerOfThePhasesOnEveryNetworkOfUpToFiveNodes) {
    for (NodeId nodes = 2; nodes <= 5; ++nodes)
        for (const Network& network : connected_graphs(nodes)) {
            const double p = 1 / static_cast<double>(network.link_count());
            const double l2 = smallest_eigenvalue(network);
            const auto phase =
                static_cast<Step>(std::ceil(2 * std::log(6 * std::sqrt(nodes)) / (p * l2)));
            for (const Tokens most : {Tokens{3}, Tokens{4}, Tokens{5}}) {
                if (nodes == 5 && most > 3) continue;  // takes long
                AveragingTail tail(network, most, most - 1);
                double bound = nodes;
                for (int phases = 1; phases <= 3; ++phases) {
                    for (Step step = 0; step < phase; ++step)
                        tail.step();
                    bound *= 7.0 / 8;
                    EXPECT_LE(tail.worst().probability, bound);
                }
                AveragingTail to_two(network, most, 2);
                const auto steps = theory::averaging_steps_to_two(nodes, most, p, l2, 0.5);
                for (Step step = 0; step < steps; ++step)
                    to_two.step();
                EXPECT_LE(to_two.worst().probability, 0.5);
            }
        }
}

// ---- Theorem 6: on the complete network only the numbers of nodes of each load matter

using Counts = std::array<std::size_t, 4>;

std::map<Counts, double> after_pair(const std::map<Counts, double>& now) {
    std::map<Counts, double> next;
    for (const auto& [counts, probability] : now) {
        const auto n = static_cast<double>(counts[0] + counts[1] + counts[2] + counts[3]);
        for (std::size_t one = 0; one < 4; ++one)
            for (std::size_t other = 0; other < 4; ++other) {
                const double pairs = static_cast<double>(counts[one]) *
                                     (static_cast<double>(counts[other]) - (one == other ? 1 : 0));
                if (pairs <= 0) continue;
                Counts moved = counts;
                --moved[one];
                --moved[other];
                ++moved[(one + other) / 2];
                ++moved[one + other - (one + other) / 2];
                next[moved] += probability * pairs / (n * (n - 1));
            }
    }
    return next;
}

double ends_product(const std::map<Counts, double>& distribution) {
    double sum = 0;
    for (const auto& [counts, probability] : distribution)
        sum += probability * static_cast<double>(counts[0] * counts[3]);
    return sum;
}

TEST(AveragingTail, ShrinksTheProductOfBothEndsExactlyOnEveryCompleteNetworkOfUpToTwelveNodes) {
    for (std::size_t n = 2; n <= 12; ++n)
        for (std::size_t zeros = 0; zeros <= n; ++zeros)
            for (std::size_t ones = 0; zeros + ones <= n; ++ones)
                for (std::size_t twos = 0; zeros + ones + twos <= n; ++twos) {
                    const std::map<Counts, double> start = {
                        {Counts{zeros, ones, twos, n - zeros - ones - twos}, 1.0}};
                    EXPECT_NEAR(ends_product(after_pair(start)),
                                (1 - 2 / static_cast<double>(n)) * ends_product(start), 1e-9);
                }
}

/// Half of the nodes with no token and half with 3; if there is one more, it has `last`.
std::map<Counts, double> half_and_half(std::size_t nodes, std::size_t last) {
    Counts counts{nodes / 2, 0, 0, nodes / 2};
    counts[last] = nodes % 2;
    return {{counts, 1.0}};
}

double three_left(const std::map<Counts, double>& distribution) {
    double sum = 0;
    for (const auto& [counts, probability] : distribution)
        if (counts[0] > 0 && counts[3] > 0) sum += probability;
    return sum;
}

TEST(AveragingTail, LeavesThreeOnCompleteNetworksAsOftenAsTheoremSixSays) {
    for (const std::size_t n : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 12U, 15U, 16U, 23U, 24U})
        // Where n is odd the last node has a load in between.
        for (const std::size_t last : {1U, 2U}) {
            auto now = half_and_half(n, last);
            const auto nodes = static_cast<double>(n);
            const double steps = 2 * (nodes - 1) * std::log(3 * nodes);
            for (std::uint64_t step = 0; static_cast<double>(step) < steps; ++step) {
                const double three = three_left(now);
                const auto bounds = theory::random_pairs_leave_three(n, step);
                EXPECT_LE(three, bounds.most + 1e-12) << n << " nodes, step " << step;
                EXPECT_GE(three, bounds.least - 1e-12) << n << " nodes, step " << step;
                now = after_pair(now);
            }
        }
}

/// So the expected time to 2 is no bounded number of spectral units, n - 1 steps here: it grows
/// like ln n. The theorem encloses it, and counted exactly it grows by about ln 2 where the nodes
/// are doubled.
TEST(AveragingTail, LastsAsManySpectralUnitsOnCompleteNetworksAsALogarithmOfTheNodes) {
    std::vector<double> units;
    for (const std::size_t n : {8U, 16U, 32U, 64U}) {
        auto now = half_and_half(n, 1);
        const auto nodes = static_cast<double>(n);
        double expected = 0;
        for (double three = three_left(now); three > 1e-6; three = three_left(now)) {
            expected += three;
            now = after_pair(now);
        }
        units.push_back(expected / (nodes - 1));
        EXPECT_LE(units.back(), nodes / (nodes - 1) * (std::log(nodes / 2) + 1));
    }
    for (std::size_t i = 1; i < units.size(); ++i)
        EXPECT_NEAR(units[i] - units[i - 1], std::log(2), 0.15) << units[i];
    // After (1 - e) ln(3 n) units 3 is left with a probability that tends to 1.
    double before = 0;
    for (const double n : {1e2, 1e4, 1e6, 1e8, 1e10}) {
        const auto steps = static_cast<std::uint64_t>(0.8 * (n - 1) * std::log(3 * n));
        const auto left = theory::random_pairs_leave_three(static_cast<std::uint64_t>(n), steps);
        EXPECT_GT(left.least, before);
        before = left.least;
    }
    EXPECT_GT(before, 0.9);
}

// ---- Theorem 7

TEST(AveragingTail, LeavesTwoOnCompleteNetworksExactlyUntilTheLastTwoMeet) {
    for (NodeId nodes = 2; nodes <= 7; ++nodes) {
        AveragingTail tail(network::make_complete(nodes), 2, 1);
        load::Loads loads(nodes, 1);
        loads[0] = 2;
        loads[1] = 0;
        const double pairs = nodes * (nodes - 1.0) / 2;
        for (int step = 0; step <= 100; ++step, tail.step())
            EXPECT_NEAR(tail.from(loads), std::pow(1 - 1 / pairs, step), 1e-12);
    }
}

// ---- Theorem 8

TEST(AveragingTail, ExpectsStairsOnPathsToFallNoFasterThanTheirSlowestWave) {
    for (NodeId nodes = 2; nodes <= 6; ++nodes) {
        const Network path = network::make_path(nodes);
        load::Loads stairs(nodes);
        double along = 0;
        double size = 0;
        for (NodeId v = 0; v < nodes; ++v) {
            stairs[v] = v;
            const double wave = std::cos(std::numbers::pi * (v + 0.5) / nodes);
            along += wave * v;
            size += std::abs(wave);
        }
        const double kept = 1 - smallest_eigenvalue(path) / (2.0 * (nodes - 1));
        for (const Step steps : {Step{0}, Step{1}, Step{5}, Step{20}, Step{60}}) {
            const double bound =
                2 * std::pow(kept, static_cast<double>(steps)) * std::abs(along) / size;
            EXPECT_GE(expected(after_steps(path, stairs, steps),
                               [](const load::Loads& loads) {
                                   return static_cast<double>(load::discrepancy(loads));
                               }),
                      bound - 1e-9);
        }
    }
}

// ---- The table of the page: the largest chance of 3 at the spectral time

struct Largest {
    double chance = 0;
    LinkId links = 0;
};

/// What the page shows for networks of this number of nodes.
void expect_largest(const std::vector<Network>& networks, double chance, LinkId links) {
    Largest largest;
    for (const Network& network : networks) {
        AveragingTail tail(network, 3, 2);
        const Step time = spectral_time(network);
        // The worst chance of s + t steps is at most the product of those of s and of t.
        std::vector<double> chances = {1};
        bool small = false;
        for (Step step = 1; step <= time && !small; ++step) {
            tail.step();
            chances.push_back(tail.worst().probability);
            const Step whole = time / step;
            small = step < time &&
                    std::pow(chances[step], static_cast<double>(whole)) * chances[time % step] <
                        largest.chance;
        }
        if (small) continue;
        const auto worst = tail.worst();
        if (network.node_count() <= 5) {
            EXPECT_NEAR(above(after_steps(network, worst.loads, time), 2), worst.probability,
                        1e-12);
        }
        if (worst.probability > largest.chance) largest = {worst.probability, network.link_count()};
    }
    EXPECT_NEAR(largest.chance, chance, 0.00005);
    EXPECT_EQ(largest.links, links);
}

TEST(AveragingTail, OfThreeAtTheSpectralTimeIsAsThePageShowsUpToSixNodes) {
    expect_largest(connected_graphs(3), 0.0041, 3);
    expect_largest(connected_graphs(4), 0.0197, 4);
    expect_largest(connected_graphs(5), 0.0189, 10);
    expect_largest(connected_graphs(6), 0.0198, 15);
}

/// A graph on eight nodes: the neighbours of each as bits.
using Rows = std::array<unsigned, 8>;

/// The least of all renamings in which a number that renamings keep does not fall.
Rows canonical(const Rows& rows) {
    std::array<std::uint64_t, 8> kind{};
    for (unsigned v = 0; v < 8; ++v)
        kind[v] = static_cast<std::uint64_t>(std::popcount(rows[v]));
    for (int pass = 0; pass < 3; ++pass) {
        const auto before = kind;
        for (unsigned v = 0; v < 8; ++v) {
            kind[v] = before[v] * 1'000'003;
            for (unsigned w = 0; w < 8; ++w)
                if ((rows[v] >> w & 1U) != 0) kind[v] += before[w] * before[w] * 0x9E3779B97F4A7C15;
        }
    }
    std::array<unsigned, 8> order{0, 1, 2, 3, 4, 5, 6, 7};
    std::sort(order.begin(), order.end(), [&](unsigned one, unsigned other) {
        return std::pair(kind[one], one) < std::pair(kind[other], other);
    });
    Rows least;
    least.fill(256);
    const auto visit = [&](const auto& self, unsigned place) -> void {
        if (place == 8) {
            Rows renamed{};
            for (unsigned i = 0; i < 8; ++i)
                for (unsigned j = 0; j < 8; ++j)
                    if ((rows[order[i]] >> order[j] & 1U) != 0) renamed[i] |= 1U << j;
            least = std::min(least, renamed);
            return;
        }
        for (unsigned i = place; i < 8 && kind[order[i]] == kind[order[place]]; ++i) {
            std::swap(order[place], order[i]);
            self(self, place + 1);
            std::swap(order[place], order[i]);
        }
    };
    visit(visit, 0);
    return least;
}

/// All connected graphs on eight nodes, those with most links first: one of seven nodes and a node
/// more, as some node can be taken away without breaking a graph in two.
std::vector<Network> networks_of_eight() {
    std::set<Rows> found;
    for (const Network& seven : connected_graphs(7)) {
        Rows rows{};
        for (LinkId link = 0; link < seven.link_count(); ++link) {
            const Ends ends = seven.ends(link);
            rows[ends.tail] |= 1U << ends.head;
            rows[ends.head] |= 1U << ends.tail;
        }
        for (unsigned set = 1; set < 128; ++set) {
            Rows eight = rows;
            for (unsigned v = 0; v < 7; ++v)
                if ((set >> v & 1U) != 0) eight[v] |= 128U;
            eight[7] = set;
            found.insert(canonical(eight));
        }
    }
    std::vector<Network> networks;
    for (const Rows& rows : found) {
        std::vector<Ends> links;
        for (NodeId u = 0; u < 8; ++u)
            for (NodeId v = u + 1; v < 8; ++v)
                if ((rows[u] >> v & 1U) != 0) links.push_back({u, v});
        networks.emplace_back(8, std::move(links));
    }
    std::stable_sort(networks.begin(), networks.end(),
                     [](const Network& one, const Network& other) {
                         return one.link_count() > other.link_count();
                     });
    return networks;
}

TEST(AveragingTailLong, OfThreeAtTheSpectralTimeIsAsThePageShowsOnSevenAndOnSomeNetworksOfEight) {
    std::vector<Network> seven = connected_graphs(7);
    std::reverse(seven.begin(), seven.end());
    expect_largest(seven, 0.0179, 21);
    std::vector<Network> eight = networks_of_eight();
    ASSERT_EQ(eight.size(), 11'117U);
    std::erase_if(eight, [](const Network& network) {
        return network.link_count() > 8 && network.link_count() < 25;
    });
    EXPECT_EQ(eight.size(), 121U);
    expect_largest(eight, 0.0203, 28);
}

}  // namespace
}  // namespace equipoise::test::averaging_tail
