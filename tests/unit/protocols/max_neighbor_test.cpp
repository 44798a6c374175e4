#include "equipoise/protocols/max_neighbor.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/torus_play.hpp"

namespace equipoise {
namespace {

using model::Nothing;
using protocols::MaxNeighbor;
using Here = MaxNeighbor::Here;
using Proposal = MaxNeighbor::Proposal;

/// A node and three neighbours in one round.
struct Around {
    Tokens load = 0;
    std::vector<Tokens> neighbour_loads;
    std::uint64_t seed = 0;
    Nothing state = {};
    std::vector<Port> degrees = {3, 3, 3};

    [[nodiscard]] Here here() {
        return {load, 1, state, neighbour_loads, {}, degrees, NodeId{0}, Step{0}, seed};
    }
    [[nodiscard]] std::vector<Proposal> proposals() {
        std::vector<Proposal> out(3, Proposal{true, true});
        MaxNeighbor{}.propose(here(), out);
        return out;
    }
    [[nodiscard]] std::vector<Tokens> taken(const std::vector<Proposal>& in) {
        std::vector<Tokens> taken(3, -9);
        MaxNeighbor{}.accept(here(), in, taken);
        return taken;
    }
    [[nodiscard]] bool proposes() const { return RandomStream(seed, Purpose::rule, 0, 0).coin(); }
};

TEST(MaxNeighbor, AProposerAsksTheFirstOfTheMostDifferentAndNobodyElse) {
    int proposers = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Around lower_and_higher{10, {13, 5, 15}, seed};
        const auto out = lower_and_higher.proposals();
        EXPECT_FALSE(out[0].asks || out[2].asks);
        EXPECT_EQ(out[1].asks, lower_and_higher.proposes());
        proposers += out[1].asks ? 1 : 0;
        Around level{10, {10, 10, 10}, seed};
        for (const Proposal& proposal : level.proposals())
            EXPECT_FALSE(proposal.asks);
    }
    EXPECT_NEAR(proposers, 100, 40);
}

TEST(MaxNeighbor, AnAcceptorSharesEvenlyWithTheFirstOfTheMostDifferentProposers) {
    const Proposal no;
    const Proposal takes_odd{true, true};
    const Proposal leaves_odd{true, false};
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Around around{10, {13, 0, 15}, seed};
        const std::vector<Tokens> nothing = {0, 0, 0};
        EXPECT_EQ(around.taken({no, no, no}), nothing);
        if (around.proposes()) {
            EXPECT_EQ(around.taken({takes_odd, takes_odd, takes_odd}), nothing);
            continue;
        }
        EXPECT_EQ(around.taken({takes_odd, no, takes_odd}), (std::vector<Tokens>{0, 0, 2}));
        EXPECT_EQ(around.taken({takes_odd, no, leaves_odd}), (std::vector<Tokens>{0, 0, 3}));
        EXPECT_EQ(around.taken({takes_odd, takes_odd, no}), (std::vector<Tokens>{0, -5, 0}));
        EXPECT_EQ(around.taken({takes_odd, no, no}), (std::vector<Tokens>{1, 0, 0}));
    }
}

TEST(MaxNeighbor, AnOddTokenMayChangeSidesBetweenLoadsThatDifferByOne) {
    const network::Network link(2, {{0, 1}});
    int swapped = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const auto run =
            engine::run_rounds(MaxNeighbor{}, load::Loads{3, 4}, link, test::steps(1, seed));
        EXPECT_EQ(load::total(run.loads), 7);
        EXPECT_EQ(load::discrepancy(run.loads), 1);
        swapped += run.loads[0] == 4 ? 1 : 0;
    }
    EXPECT_NEAR(swapped, 100, 40);  // one of the two proposes: 1/2; then the coin
}

TEST(MaxNeighbor, GivesEveryNodeOnePartnerAtMostAndLevelsATorus) {
    struct Partners final : model::Observer {
        [[nodiscard]] bool wants_transfers() const override { return true; }
        void on_step(const model::StepView& view) override {
            std::vector<int> partners(64, 0);
            for (const model::Transfer& transfer : view.transfers)
                most = std::max({most, ++partners[transfer.from], ++partners[transfer.to]});
        }
        int most = 0;
    } partners;
    std::vector<model::Observer*> observers = {&partners};
    engine::RoundOptions options = test::steps(20'000);
    options.observers = observers;
    options.stop.discrepancy = 1;
    const network::Network torus = test::torus(8, 8);
    const auto run = engine::run_rounds(MaxNeighbor{}, test::loads_8x8(), torus, options);
    EXPECT_LE(load::discrepancy(run.loads), 1);
    EXPECT_EQ(partners.most, 1);
}

}  // namespace
}  // namespace equipoise
