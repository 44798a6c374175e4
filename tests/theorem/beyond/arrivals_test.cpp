// What whole tokens add to real loads that are averaged over the same links while tokens arrive
// (docs/results/arrivals.md).
//
// Theorem 1. On any network, links and arrivals being chosen without a look at the coins, let x be
// whole loads whose odd tokens go where a fair coin says, y real ones and z = x - y. Given the
// links, E[x] = y; for every vector w that adds up to s, E[(w z)^2] <= (|w|^2 - s^2 / n) / 2; for
// every node P(|z_v| >= h) <= 2 exp(-h^2); and the expected discrepancy of x is that of y at least
// and at most 2 sqrt(ln n) more.
//
// Theorem 2. On a cycle of n nodes, one unit at a random link a step, E[(y_0 - y_k)^2] rises from 0
// to (k (n - k) - 1) / n.
//
// Theorem 3. There, in the long run, E[(x_0 - x_k)^2] is exactly p more, p the probability that the
// ends of a link differ by an even number.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/generators/classic.hpp"
#include "equipoise/theory/coin_averaging.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/whole_beside_real.hpp"

namespace equipoise::test::arrivals {
namespace {

using network::Network;

double real_discrepancy(const std::vector<double>& loads) {
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    return *most - *least;
}

// ---- Theorem 1

constexpr double rounding = 1e-12;

/// All w with entries -1, 0 and 1.
std::vector<std::vector<double>> directions(NodeId nodes) {
    std::vector<std::vector<double>> all;
    for_each_loads(nodes, 2, [&](const load::Loads& digits) {
        std::vector<double> w;
        for (const Tokens digit : digits)
            w.push_back(static_cast<double>(digit) - 1);
        all.push_back(w);
    });
    return all;
}

void expect_means_and_squares(const Beside& now, const std::vector<std::vector<double>>& all) {
    const auto n = static_cast<double>(now.real.size());
    for (std::size_t v = 0; v < now.real.size(); ++v)
        EXPECT_NEAR(
            expected(now.whole, [&](const load::Loads& x) { return static_cast<double>(x[v]); }),
            now.real[v], rounding);
    for (const std::vector<double>& w : all) {
        double length = 0;
        double sum = 0;
        for (const double entry : w) {
            length += entry * entry;
            sum += entry;
        }
        const double square = expected(now.whole, [&](const load::Loads& x) {
            double along = 0;
            for (std::size_t v = 0; v < w.size(); ++v)
                along += w[v] * (static_cast<double>(x[v]) - now.real[v]);
            return along * along;
        });
        EXPECT_LE(square, (length - sum * sum / n) / 2 + rounding);
    }
}

void expect_tails(const Beside& now) {
    for (std::size_t v = 0; v < now.real.size(); ++v)
        for (const auto& [some, unused] : now.whole) {
            const double h = std::abs(static_cast<double>(some[v]) - now.real[v]);
            const double tail = expected(now.whole, [&](const load::Loads& x) {
                const double far = std::abs(static_cast<double>(x[v]) - now.real[v]);
                return far >= h - rounding ? 1.0 : 0.0;
            });
            EXPECT_LE(tail, 2 * std::exp(-h * h) + rounding);
        }
}

template <class Arrivals>
void expect_theorem_1(const Network& network, const Arrivals& arrivals, Step steps) {
    const auto all = directions(network.node_count());
    for_each_sequence(
        network, load::Loads(network.node_count(), 0), arrivals, steps,
        [&](const Beside& now, Step /*step*/) {
            expect_means_and_squares(now, all);
            expect_tails(now);
            const double whole = expected(now.whole, [](const load::Loads& x) {
                return static_cast<double>(load::discrepancy(x));
            });
            const double added = whole - real_discrepancy(now.real);
            EXPECT_GE(added, -rounding);
            EXPECT_LE(added, theory::coin_adds_to_discrepancy(network.node_count()) + rounding);
        });
}

Arrival at_the_link(Step /*step*/, Ends link) {
    return {link.tail, 1};
}

TEST(Arrivals, StayNearRealLoadsAsTheoremOneSaysOnEveryNetworkOfUpToFourNodesAndOnShortCycles) {
    for (NodeId nodes = 2; nodes <= 4; ++nodes)
        for (const Network& network : connected_graphs(nodes)) {
            const Step steps = network.link_count() <= 3 ? 6 : 4;
            expect_theorem_1(network, at_the_link, steps);
            // Also where arrivals and links have nothing to do with each other.
            expect_theorem_1(
                network,
                [&](Step step, Ends /*link*/) {
                    return Arrival{static_cast<NodeId>(step % nodes), Tokens{3}};
                },
                steps);
        }
    expect_theorem_1(network::make_cycle(5), at_the_link, 5);
    expect_theorem_1(network::make_cycle(6), at_the_link, 4);
}

// ---- Theorems 2 and 3

/// E[(loads_0 - mean) (loads_k - mean)] on a cycle, where all nodes are alike.
class Covariances {
  public:
    explicit Covariances(std::size_t nodes) : c_(nodes, 0.0) {}

    /// One step: averaging a random link keeps C - L C / n + (q / 4n) L, q the mean square of the
    /// difference over a link; the unit that arrives adds (I - J / n - L / 4) / n; and the coin, on
    /// a link whose ends differ by an even number with probability `even`, adds (even / 4n) L.
    void step(double even) {
        const auto n = static_cast<double>(c_.size());
        const double q = square(1);
        std::vector<double> next = c_;
        for (std::size_t k = 0; k < c_.size(); ++k) {
            const double bent = 2 * c_[k] - c_[before(k)] - c_[behind(k)];
            next[k] += (-bent + (k == 0 ? 1 : 0) - 1 / n) / n;
        }
        const double rough = (q + even - 1) / (4 * n);
        next[0] += 2 * rough;
        next[1] -= rough;
        next[c_.size() - 1] -= rough;
        c_ = std::move(next);
    }
    /// The mean square of the difference of nodes at this distance.
    [[nodiscard]] double square(std::size_t distance) const { return 2 * (c_[0] - c_[distance]); }

  private:
    [[nodiscard]] std::size_t before(std::size_t k) const {
        return (k + c_.size() - 1) % c_.size();
    }
    [[nodiscard]] std::size_t behind(std::size_t k) const { return (k + 1) % c_.size(); }

    std::vector<double> c_;
};

/// Sums over all sequences of links, by the number of steps.
struct Moments {
    std::vector<double> real;   ///< by distance: mean square of the difference
    std::vector<double> whole;  ///< the same of whole loads
    double even = 0;  ///< the probability that the ends of a link differ by an even number
};

std::vector<Moments> moments_of_all_sequences(NodeId nodes, Step steps) {
    const Network cycle = network::make_cycle(nodes);
    const std::vector<double> none(nodes, 0.0);
    std::vector<Moments> moments(steps + 1, Moments{none, none});
    for_each_sequence(
        cycle, load::Loads(nodes, 0), at_the_link, steps, [&](const Beside& now, Step step) {
            const double share = std::pow(nodes, -static_cast<double>(step));
            Moments& sum = moments[step];
            for (NodeId k = 1; k < nodes; ++k) {
                const double difference = now.real[0] - now.real[k];
                sum.real[k] += share * difference * difference;
                sum.whole[k] += share * expected(now.whole, [&](const load::Loads& x) {
                                    return static_cast<double>((x[0] - x[k]) * (x[0] - x[k]));
                                });
            }
            sum.even += share * expected(now.whole, [](const load::Loads& x) {
                            return (x[0] - x[1]) % 2 == 0 ? 1.0 : 0.0;
                        });
        });
    return moments;
}

TEST(Arrivals, HaveTheMeanSquaresOfAllSequencesOfLinksOnCyclesOfUpToSixNodes) {
    for (NodeId nodes = 3; nodes <= 6; ++nodes) {
        Covariances real(nodes);
        Covariances whole(nodes);
        for (const Moments& sum : moments_of_all_sequences(nodes, nodes <= 4 ? 7 : 5)) {
            for (NodeId k = 1; k < nodes; ++k) {
                EXPECT_NEAR(real.square(k), sum.real[k], 1e-10) << nodes;
                EXPECT_NEAR(whole.square(k), sum.whole[k], 1e-10) << nodes;
            }
            real.step(0);
            whole.step(sum.even);
        }
    }
}

TEST(Arrivals, RaiseTheMeanSquaresOnCyclesToThoseOfTheoremTwo) {
    for (const std::size_t n : {3U, 4U, 5U, 8U, 16U, 33U}) {
        Covariances real(n);
        const auto steps =
            static_cast<int>(n * n * n + 50);  // 40 times what the slowest wave takes
        for (int step = 0; step < steps; ++step) {
            std::vector<double> squares;
            for (std::size_t k = 1; k < n; ++k)
                squares.push_back(real.square(k));
            real.step(0);
            for (std::size_t k = 1; k < n; ++k) {
                ASSERT_GE(real.square(k), squares[k - 1] - rounding);
                ASSERT_LE(real.square(k), theory::arrivals_square(n, k) + 1e-9);
            }
        }
        for (std::size_t k = 1; k < n; ++k)
            EXPECT_NEAR(real.square(k), theory::arrivals_square(n, k), 1e-9);
    }
}

/// The law of whole loads in the long run, less their least: an array over all loads of 0 ..
/// `most`, one of them 0; the mean over as many steps as there are nodes, since the number of
/// tokens modulo this number comes round. What leaves this range is lost; `kept` says how much is
/// left.
class LongRun {
  public:
    LongRun(std::size_t nodes, std::size_t most, int steps) : nodes_(nodes), base_(most + 1) {
        std::size_t count = 1;
        for (std::size_t v = 0; v < nodes; ++v)
            count *= base_;
        law_.assign(count, 0.0);
        law_[0] = 1;
        for (int step = 0; step < steps; ++step)
            play();
        std::vector<double> sum(count, 0.0);
        for (std::size_t step = 0; step < nodes; ++step, play())
            for (std::size_t index = 0; index < count; ++index)
                sum[index] += law_[index] / static_cast<double>(nodes);
        law_ = std::move(sum);
        for (const double probability : law_)
            kept += probability;
    }
    double kept = 0;

    template <class Value>
    [[nodiscard]] double expected(const Value& value) const {
        double sum = 0;
        for (std::size_t index = 0; index < law_.size(); ++index)
            if (law_[index] > 0) sum += law_[index] * value(loads_of(index));
        return sum;
    }

  private:
    [[nodiscard]] load::Loads loads_of(std::size_t index) const {
        load::Loads loads(nodes_);
        for (Tokens& load : loads) {
            load = static_cast<Tokens>(index % base_);
            index /= base_;
        }
        return loads;
    }
    void add(const load::Loads& loads, double probability, std::vector<double>& law) const {
        const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
        if (*most - *least >= static_cast<Tokens>(base_)) return;
        std::size_t index = 0;
        for (std::size_t v = nodes_; v > 0; --v)
            index = index * base_ + static_cast<std::size_t>(loads[v - 1] - *least);
        law[index] += probability;
    }
    void play() {
        std::vector<double> next(law_.size(), 0.0);
        for (std::size_t index = 0; index < law_.size(); ++index) {
            if (law_[index] == 0) continue;
            load::Loads loads = loads_of(index);
            const double share = law_[index] / (2 * static_cast<double>(nodes_));
            for (std::size_t v = 0; v < nodes_; ++v) {
                Tokens& here = loads[v];
                Tokens& there = loads[(v + 1) % nodes_];
                const Tokens one = here;
                const Tokens other = there;
                here = (one + other + 1) / 2;
                there = one + other + 1 - here;
                add(loads, share, next);
                std::swap(here, there);
                add(loads, share, next);
                here = one;
                there = other;
            }
        }
        law_ = std::move(next);
    }

    std::size_t nodes_;
    std::size_t base_;
    std::vector<double> law_;
};

/// A line of the page's table.
struct InTheLongRun {
    std::size_t nodes;
    std::size_t most;  ///< loads above are left out
    double even;
    double discrepancy;
};

TEST(Arrivals, LeaveWholeTokensWithExactlyTheChanceOfAnEvenDifferenceMoreInTheLongRun) {
    for (const InTheLongRun& line :
         {InTheLongRun{3, 14, 0.5037, 0.9716}, InTheLongRun{4, 12, 0.5026, 1.3528},
          InTheLongRun{5, 13, 0.5017, 1.6808}}) {
        const LongRun law(line.nodes, line.most, 80);
        EXPECT_NEAR(law.kept, 1, 1e-7);
        const double even =
            law.expected([](const load::Loads& x) { return (x[0] - x[1]) % 2 == 0 ? 1.0 : 0.0; });
        for (std::size_t k = 1; k < line.nodes; ++k) {
            const double square = law.expected([&](const load::Loads& x) {
                return static_cast<double>((x[0] - x[k]) * (x[0] - x[k]));
            });
            EXPECT_NEAR(square, theory::arrivals_square(line.nodes, k) + even, 1e-5);
        }
        EXPECT_NEAR(even, line.even, 0.00005) << line.nodes;
        EXPECT_NEAR(law.expected([](const load::Loads& x) {
            return static_cast<double>(load::discrepancy(x));
        }),
                    line.discrepancy, 0.00005)
            << line.nodes;
    }
}

// ---- The program's arrivals are these

TEST(Arrivals, OfTheCatalogueGiveTheExpectedDiscrepancyOfAllSequences) {
    constexpr Step steps = 6;
    constexpr NodeId nodes = 4;
    double exact = 0;
    for_each_sequence(network::make_cycle(nodes), load::Loads(nodes, 0), at_the_link, steps,
                      [&](const Beside& now, Step step) {
                          if (step < steps) return;
                          exact += std::pow(nodes, -static_cast<double>(steps)) *
                                   expected(now.whole, [](const load::Loads& x) {
                                       return static_cast<double>(load::discrepancy(x));
                                   });
                      });
    const network::AnyNetwork cycle(network::make_cycle(nodes));
    constexpr int runs = 10'000;
    double sum = 0;
    double squares = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        catalogue::RunOptions options;
        options.seed = seed;
        options.arrivals = "link:tokens=1";
        options.parameters = {{"matching", "single"}};
        options.steps_max = steps;
        const auto left = static_cast<double>(
            catalogue::run("coin-averaging", cycle, load::Loads(nodes, 0), options).discrepancy());
        sum += left;
        squares += left * left;
    }
    const double mean = sum / runs;
    EXPECT_NEAR(mean, exact, 4.5 * std::sqrt((squares / runs - mean * mean) / runs));
}

}  // namespace
}  // namespace equipoise::test::arrivals
