#include "equipoise/placement/flow_rounds.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/support/property.hpp"

namespace equipoise::placement {
namespace {

using Transfers = std::vector<Transfer>;

TEST(NetFlows, CancelOppositeTransfersAndCirculations) {
    EXPECT_EQ((Transfers{{0, 1, 3}}), net_flows(Transfers{{0, 1, 5}, {1, 0, 2}}));
    EXPECT_TRUE(net_flows(Transfers{{0, 1, 5}, {1, 0, 5}}).empty());
    EXPECT_EQ((Transfers{{0, 1, 2}, {2, 0, 1}}),
              net_flows(Transfers{{0, 1, 4}, {1, 2, 2}, {2, 0, 3}}));
    EXPECT_EQ((Transfers{{0, 1, 1}, {1, 2, 1}}),
              net_flows(Transfers{{0, 1, 1}, {1, 2, 3}, {2, 3, 2}, {3, 1, 2}}));
}

TEST(RoundsOf, PassItemsOnOnceTheyArrived) {
    const std::vector<Transfers> rounds =
        rounds_of(Transfers{{0, 1, 6}, {1, 2, 4}}, std::vector<Tokens>{6, 1, 0});
    EXPECT_EQ((std::vector<Transfers>{{{0, 1, 6}, {1, 2, 1}}, {{1, 2, 3}}}), rounds);
    EXPECT_TRUE(rounds_of({}, std::vector<Tokens>{1}).empty());
}

TEST(RoundsOf, EndWithTheSameSizesAndNeverSendWhatIsNotThere) {
    EXPECT_TRUE(test::holds("sizes, order and number of rounds", [] {
        const auto ranks = *rc::gen::inRange(1, 8);
        auto counts = *rc::gen::container<std::vector<Tokens>>(static_cast<std::size_t>(ranks),
                                                               rc::gen::inRange<Tokens>(0, 20));
        // A walk of single transfers that are possible one after the other.
        std::vector<Tokens> sizes = counts;
        Transfers transfers;
        for (int step = 0; step < 30; ++step) {
            const int from = *rc::gen::inRange(0, ranks);
            const int to = *rc::gen::inRange(0, ranks);
            Tokens& held = sizes[static_cast<std::size_t>(from)];
            if (from == to || held == 0) continue;
            const Tokens items = *rc::gen::inRange<Tokens>(1, held + 1);
            held -= items;
            sizes[static_cast<std::size_t>(to)] += items;
            transfers.push_back({from, to, items});
        }
        const auto rounds = rounds_of(net_flows(transfers), counts);
        RC_ASSERT(static_cast<int>(rounds.size()) <= ranks - 1);
        for (const Transfers& round : rounds) {
            for (const Transfer& transfer : round) {
                counts[static_cast<std::size_t>(transfer.from)] -= transfer.items;
                RC_ASSERT(counts[static_cast<std::size_t>(transfer.from)] >= 0);
            }
            for (const Transfer& transfer : round)
                counts[static_cast<std::size_t>(transfer.to)] += transfer.items;
        }
        RC_ASSERT(counts == sizes);
    }));
}

}  // namespace
}  // namespace equipoise::placement
