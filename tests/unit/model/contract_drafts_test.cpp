// Algorithms written against the contracts before there was an engine: each must fit without
// cheating, and do what it promises on plain interpreters.

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/contract_drafts/self_stabilising.hpp"
#include "tests/support/reference_host.hpp"

namespace equipoise::contract_drafts {
namespace {

Tokens sum(const std::vector<Tokens>& loads) {
    return std::accumulate(loads.begin(), loads.end(), Tokens{0});
}

/// Whether neighbours differ by one at most.
bool one_balanced(const network::Network& network, const std::vector<Tokens>& loads) {
    return load::local_imbalance(network, loads) <= 1;
}

/// Runs with packets that are lost and doubled, in channels of `capacity` packets.
void run_over_bad_links(test::ReferenceHost<SelfStabilising>& host, std::uint64_t seed,
                        int choices) {
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
            while (host.on_the_way(arc) > SelfStabilising::capacity)
                host.lose(arc);
    }
}

TEST(SelfStabilisingDraft, LevelsOverChannelsThatLoseAndDoublePackets) {
    const network::Network graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {1, 3}});
    const std::vector<Tokens> loads = {30, 0, 0, 7, 1};
    const SelfStabilising program(10);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        test::ReferenceHost kept(program, graph, loads);
        test::ReferenceHost recreated(program, graph, loads, true);
        run_over_bad_links(kept, seed, 60'000);
        run_over_bad_links(recreated, seed, 60'000);
        EXPECT_TRUE(one_balanced(graph, kept.loads()));
        EXPECT_EQ(sum(kept.loads()), 38);
        EXPECT_EQ(kept.held_and_on_the_way(), 38);
        EXPECT_EQ(kept.loads(), recreated.loads());
        EXPECT_EQ(kept.delivered(), recreated.delivered());
    }
}

}  // namespace
}  // namespace equipoise::contract_drafts
