#include "equipoise/protocols/deal_agreement_3.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"

namespace equipoise::protocols {
namespace {

using Here = DealAgreement3::Here;

/// Lines 5-19 as printed, token by token. Returns the tentative load.
Tokens pour_token_by_token(Tokens load, const std::vector<Tokens>& less,
                           std::vector<Tokens>& prop) {
    std::fill(prop.begin(), prop.end(), Tokens{0});
    if (less.empty()) return load;
    Tokens tentative = load;
    std::size_t i = 0;
    while (tentative >= less[i] + prop[i] + 2) {
        --tentative;
        ++prop[i];
        if (i + 1 < less.size() && less[i] + prop[i] > less[i + 1] + prop[i + 1]) {
            ++i;
        } else {
            i = 0;
        }
    }
    return tentative;
}

TEST(Pour, EqualsThePrintedLoopOnEverySmallNeighbourhood) {
    constexpr Tokens triples = Tokens{12} * 12 * 12;
    for (Tokens load = 1; load <= 12; ++load) {
        for (Tokens code = 0; code < 5 * triples; ++code) {
            std::vector<Tokens> less;
            const auto count = static_cast<std::size_t>(code / triples);
            Tokens rest = code % triples;
            for (std::size_t i = 0; i < std::min<std::size_t>(count, 3); ++i, rest /= 12)
                if (rest % 12 < load) less.push_back(rest % 12);
            if (count == 4 && !less.empty()) less.push_back(less.front());
            std::sort(less.begin(), less.end());
            std::vector<Tokens> expected(less.size());
            std::vector<Tokens> poured(less.size());
            const Tokens tentative = pour_token_by_token(load, less, expected);
            ASSERT_EQ(pour(load, less, poured), tentative) << load;
            ASSERT_EQ(poured, expected) << load;
        }
    }
}

/// Takes one token at a time from the proposer with the largest remaining load, lowest port first,
/// while that load is at least two above the node's own.
std::vector<Tokens> drain_token_by_token(Tokens load, const std::vector<PouredProposal>& in) {
    std::vector<Tokens> taken(in.size(), 0);
    while (true) {
        std::size_t best = in.size();
        Tokens most = 0;
        for (std::size_t port = 0; port < in.size(); ++port) {
            if (taken[port] == in[port].amount) continue;
            const Tokens residual = in[port].tentative_load + in[port].amount - taken[port];
            if (best == in.size() || residual > most) {
                best = port;
                most = residual;
            }
        }
        if (best == in.size() || most - load < 2) return taken;
        ++taken[best];
        ++load;
    }
}

TEST(ResidualDrain, EqualsTheLoopThatTakesOneTokenAtATime) {
    RandomStream random(1, Purpose::sampling);
    const DealAgreement3 rule(Acceptance::residual_drain);
    model::Nothing state;
    for (int trial = 0; trial < 20000; ++trial) {
        const auto degree = static_cast<std::size_t>(random.below(6));
        const auto load = static_cast<Tokens>(random.below(10));
        std::vector<PouredProposal> in(degree);
        for (PouredProposal& proposal : in) {
            proposal.tentative_load = load + static_cast<Tokens>(random.below(8));
            proposal.amount = static_cast<Tokens>(random.below(7));
        }
        const std::vector<Tokens> neighbours(degree, 0);
        const std::vector<Port> degrees(degree, 1);
        const Here here{load, 1, state, neighbours, {}, degrees, 0, 0, 0};
        std::vector<Tokens> taken(degree);
        rule.accept(here, in, taken);
        ASSERT_EQ(taken, drain_token_by_token(load, in)) << "trial " << trial;
    }
}

TEST(ResidualDrain, HandlesLoadsNearTheLimitWithoutALoopOverTokens) {
    const DealAgreement3 rule(Acceptance::residual_drain);
    model::Nothing state;
    const Tokens huge = tokens_max / 2;
    const std::vector<PouredProposal> in{{huge / 2, huge / 2}, {huge / 4, huge / 2}};
    const std::vector<Tokens> neighbours(2, 0);
    const std::vector<Port> degrees(2, 1);
    const Here here{0, 1, state, neighbours, {}, degrees, 0, 0, 0};
    std::vector<Tokens> taken(2);
    rule.accept(here, in, taken);
    const Tokens own = taken[0] + taken[1];
    for (std::size_t port = 0; port < 2; ++port) {
        const Tokens residual = in[port].tentative_load + in[port].amount - taken[port];
        EXPECT_LE(own, residual) << "acceptor above giver";
        EXPECT_TRUE(taken[port] == in[port].amount || residual - own < 2) << "stopped too early";
    }
}

}  // namespace
}  // namespace equipoise::protocols
