// Algorithm 5 on the plain host, step by step: lost and doubled packets, and recreated frames.

#include "equipoise/programs/self_stabilising.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/reference_host.hpp"

namespace equipoise::programs {
namespace {

constexpr unsigned capacity = 1;
using Program = SelfStabilising<LabelledLink>;

/// Runs with packets that are lost and doubled, in channels of `capacity` packets.
void run_over_bad_links(test::ReferenceHost<Program>& host, std::uint64_t seed, int choices) {
    RandomStream random(seed, Purpose::fault);
    for (int made = 0; made < choices; ++made) {
        const auto open = host.choices();
        const auto& choice = open[static_cast<std::size_t>(random.below(open.size()))];
        if (choice.arc && random.below(10) < 2)
            host.lose(*choice.arc);
        else if (choice.arc && random.below(10) < 1)
            host.duplicate(*choice.arc);
        else
            host.take(choice);
        for (LinkId arc = 0; arc < host.arc_count(); ++arc)
            while (host.on_the_way(arc) > capacity)
                host.lose(arc);
    }
}

TEST(SelfStabilising, LevelsAlikeWithKeptAndWithRecreatedFrames) {
    const network::Network graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {1, 3}});
    const std::vector<Tokens> loads = {30, 0, 0, 7, 1};
    const Program program{LabelledLink(capacity)};
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        test::ReferenceHost kept(program, graph, loads);
        test::ReferenceHost recreated(program, graph, loads, true);
        run_over_bad_links(kept, seed, 30'000);
        run_over_bad_links(recreated, seed, 30'000);
        EXPECT_LE(load::local_imbalance(graph, kept.loads()), 1);
        EXPECT_EQ(load::total(kept.loads()), 38);
        EXPECT_EQ(kept.held_and_on_the_way(), 38);
        EXPECT_EQ(kept.loads(), recreated.loads());
        EXPECT_EQ(kept.delivered(), recreated.delivered());
        EXPECT_GT(recreated.recreated(), 0U);
    }
}

TEST(SelfStabilising, AnOfferLeavesItsTokensAsideUntilItIsAnswered) {
    const network::Network pair(2, {{0, 1}});
    const SelfStabilising program{SequenceLink()};
    test::ReferenceHost host(program, pair, std::vector<Tokens>{10, 0});
    Tokens before = 10;
    for (int choice = 0; choice < 200; ++choice) {
        const auto open = host.choices();
        host.take(open[static_cast<std::size_t>(choice) % open.size()]);
        const std::vector<Tokens> loads = host.loads();
        // The taker books first, so both may hold a token for a while, but nobody loses one.
        EXPECT_GE(loads[0] + loads[1], 10);
        EXPECT_LE(loads[0], before);
        before = loads[0];
    }
    EXPECT_EQ(host.loads(), (std::vector<Tokens>{5, 5}));
}

}  // namespace
}  // namespace equipoise::programs
