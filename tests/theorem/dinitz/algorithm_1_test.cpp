// Lemma 2. If the discrepancy of G at the beginning of some round is K, the potential of G
// decreases after that round by at least K^2 / 2D.
//
// Lemma 4. As the result of any single round of Algorithm 1: ... 3. The load of at least one node
// with load L_min strictly increases and the load of at least one node with load L_max strictly
// decreases. (Parts 1 and 2 are Lemma 6 of Algorithm 2.)
//
// Theorem 1. Algorithm 1 is monotonic. After at most (6n + 3) D ln(...) time of its execution, the
// discrepancy of G will be at most epsilon.
//
// Algorithm 1 runs in fixed point: Algorithm 2 on loads scaled by 2^s. Offers are rounded down to
// whole units. Then Lemma 2 reads (K - D)^2 / 2D for K >= D, in units; Lemma 4.3 is false; and
// Theorem 1 holds as it stands while K is above 256 D units (docs/algorithms/deal-agreement-1.md).

#include <algorithm>
#include <span>

#include <gtest/gtest.h>

#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/theory/deal_agreement.hpp"
#include "tests/support/deal_play.hpp"
#include "tests/theorem/dinitz/deal_cases.hpp"

namespace equipoise::test {
namespace {

constexpr unsigned scale_bits = 20;
load::Loads scaled(const load::Loads& loads, Tokens units = Tokens{1} << scale_bits) {
    load::Loads out = loads;
    for (Tokens& load : out)
        load *= units;
    return out;
}

/// The lemmas for one round that starts from loads in units. With `exact` nothing is rounded.
class RoundCheck {
  public:
    RoundCheck(const DealCase& at, const load::Loads& before, bool exact)
        : at_(at), before_(before), exact_(exact) {
        const auto [least, most] = std::minmax_element(before.begin(), before.end());
        least_ = *least;
        most_ = *most;
    }

    void check(std::span<const model::Transfer> deals, const load::Loads& after) const {
        check_lemma_2(after);
        for (const model::Transfer& deal : deals)
            ASSERT_LE(after[deal.to], after[deal.from]) << "Lemma 4.1";
        for (NodeId node = 0; node < after.size(); ++node) {
            ASSERT_TRUE(after[node] >= before_[node] || after[node] > least_) << "Lemma 4.2";
            ASSERT_TRUE(after[node] <= before_[node] || after[node] < most_) << "Lemma 4.2";
        }
        check_lemma_4_3(after);
    }

  private:
    void check_lemma_2(const load::Loads& after) const {
        const Int128 spread = most_ - least_;
        if (spread < at_.diameter) return;
        const Int128 drop = load::potential(before_) - load::potential(after);
        const Int128 left = spread - (exact_ ? 0 : at_.diameter);
        ASSERT_GE(drop * 2 * at_.diameter, left * left * at_.graph.node_count()) << "Lemma 2";
    }
    /// As printed if nothing is rounded; otherwise what remains true: a lowest node rises if it has
    /// a neighbour higher by two, and a node at most one below the maximum falls if a fullest node
    /// has a neighbour lower by two.
    void check_lemma_4_3(const load::Loads& after) const {
        const Tokens slack = exact_ ? 0 : 1;
        bool rises = false;
        bool falls = false;
        for (NodeId node = 0; node < after.size(); ++node) {
            rises = rises || (before_[node] == least_ && after[node] > least_);
            falls = falls || (before_[node] >= most_ - slack && after[node] < before_[node]);
        }
        bool must_rise = exact_ && most_ > least_;
        bool must_fall = must_rise;
        for (const Ends& link : at_.graph.links()) {
            const auto [low, high] = std::minmax(before_[link.tail], before_[link.head]);
            must_rise = must_rise || (low == least_ && high >= least_ + 2);
            must_fall = must_fall || (high == most_ && low <= most_ - 2);
        }
        ASSERT_TRUE(rises || !must_rise) << "Lemma 4.3";
        ASSERT_TRUE(falls || !must_fall) << "Lemma 4.3";
    }

    const DealCase& at_;
    const load::Loads& before_;
    bool exact_;
    Tokens least_ = 0;
    Tokens most_ = 0;
};

/// Checks a number of rounds from the loads; returns how many deals were rounded.
std::uint64_t check_rounds(const DealCase& at, const load::Loads& loads, int rounds, bool exact) {
    DealPlay<protocols::DealAgreement2> play({}, at.graph, loads);
    std::uint64_t rounded = 0;
    for (int round = 0; round < rounds && !::testing::Test::HasFatalFailure(); ++round) {
        const auto& deals = play.round();
        for (const model::Transfer& deal : deals)
            rounded += (play.before()[deal.from] - play.before()[deal.to]) % 2 == 0 ? 0U : 1U;
        RoundCheck(at, play.before(), exact).check(deals, play.loads());
    }
    return rounded;
}

TEST(Lemma2And4DealAgreement1, HoldAsPrintedInTheFirstRoundOfEverySmallCaseWhereNothingIsRounded) {
    for_each_deal_case([](const DealCase& at) {
        if (HasFatalFailure()) return;
        EXPECT_EQ(check_rounds(at, scaled(at.loads), 1, true), 0U);
    });
}

TEST(Lemma2And4DealAgreement1, HoldUpToRoundingInFourRoundsOfEverySmallCase) {
    std::uint64_t rounded = 0;
    for_each_deal_case([&](const DealCase& at) {
        if (HasFatalFailure()) return;
        load::Loads units = at.loads;  // uneven numbers of units, so that deals are rounded
        for (NodeId node = 0; node < units.size(); ++node)
            units[node] = 7 * units[node] + node % 3;
        rounded += check_rounds(at, units, 4, false);
    });
    EXPECT_GT(rounded, 100'000U);
}

TEST(Lemma4DealAgreement1, Part3IsFalseOnceDealsAreRounded) {
    // In real numbers the middle would take 3.5 of the fullest node; in whole units both offer 3.
    const network::Network path(3, {{0, 1}, {1, 2}});
    DealPlay<protocols::DealAgreement2> play({}, path, {6, 0, 7});
    play.round();
    EXPECT_EQ(play.loads(), (load::Loads{3, 3, 7}));
}

/// In the units that the catalogue uses, and in finer ones.
TEST(Theorem1DealAgreement1, DiscrepancyIsAtMostEpsilonWithinTheBound) {
    constexpr double epsilon = 0.01;
    RandomStream random(8, Purpose::sampling);
    for (int i = 0; i < 60; ++i) {
        const auto nodes = static_cast<NodeId>(2 + random.below(30));
        const network::Network graph = random_connected_graph(nodes, random.below(30), random);
        const load::Loads loads = random_loads(nodes, 100, random);
        const std::uint64_t diameter = network::diameter(network::AnyNetwork(graph)).upper;
        const std::uint64_t bound = theory::deal_agreement_1_rounds(
            nodes, diameter, static_cast<double>(load::discrepancy(loads)), epsilon);
        const unsigned bits =
            i % 2 == 0 ? scale_bits : theory::deal_agreement_1_fraction_bits(diameter, epsilon);
        const Tokens one_token = Tokens{1} << bits;
        const Tokens epsilon_units = one_token / 100;
        DealPlay<protocols::DealAgreement2> play({}, graph, scaled(loads, one_token));
        std::uint64_t rounds = 0;
        Tokens spread = load::discrepancy(play.loads());
        while (spread > epsilon_units && rounds <= bound) {
            play.round();
            ++rounds;
            const Tokens now = load::discrepancy(play.loads());
            ASSERT_LE(now, spread) << "monotone";
            spread = now;
        }
        EXPECT_LE(rounds, bound);
        EXPECT_EQ(load::total(play.loads()), load::total(loads) * one_token);
    }
}

}  // namespace
}  // namespace equipoise::test
