// Dinitz, Dolev, Kumar 2020, Algorithms 4 and 5: where the printed programs fail, and that the
// repaired ones do not.

#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/simulation/explorer.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/programs/async_deal_agreement.hpp"
#include "equipoise/programs/water.hpp"
#include "tests/support/printed_deals.hpp"

namespace equipoise::test {
namespace {

/// What is left at the centre of a star, whose leaves take what they are offered, when it stops
/// offering. `lines_5_to_8_once`: line 9 read as a loop inside the loop of line 4.
Tokens given_away(Tokens centre, std::size_t leaves, bool lines_5_to_8_once) {
    std::vector<Tokens> loads(leaves, 0);
    Tokens given = 0;
    while (true) {
        const Tokens copy = lines_5_to_8_once ? centre : centre - given;  // TLoad
        const PrintedProposal proposal(copy, loads);
        if (proposal.total() == 0) return given;
        for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
            const Tokens deal =
                printed_deal(proposal.amount[leaf], proposal.tentative, loads[leaf]);
            loads[leaf] += deal;
            given += deal;
        }
    }
}

TEST(Algorithm5AsPrinted, ACentreOfTenWithTenEmptyLeavesGivesNinetyAway) {
    EXPECT_EQ(given_away(10, 10, true), 90);
    EXPECT_LE(given_away(10, 10, false), 10);
}

TEST(Algorithm4AsPrinted, RRProposalEqualisesIncrementsAndNotLevels) {
    // Five tokens beside neighbours with 0 and 2: levels 1 and 3, where 2 and 2 are possible.
    const std::vector<Tokens> loads = {0, 2};
    const PrintedProposal printed(5, loads);
    EXPECT_EQ(printed.amount, (std::vector<Tokens>{1, 1}));

    struct View {
        Tokens view;
        bool heard = true;
    };
    const std::vector<View> views = {{0}, {2}};
    const std::span<const View> ports = views;
    std::vector<Tokens> levels = loads;
    programs::pour(programs::find_water(5, ports), ports,
                   [&](Port port, Tokens gift) { levels[port] += gift; });
    EXPECT_EQ(levels, (std::vector<Tokens>{2, 2}));
}

TEST(Algorithm4AsPrinted, ProposesNothingForEverWhereNeighboursDifferByOne) {
    const std::vector<Tokens> loads = {2};
    const PrintedProposal printed(3, loads);
    EXPECT_TRUE(printed.made);
    EXPECT_EQ(printed.total(), 0);
}

TEST(Algorithm4AsPrinted, ProposesTokensThatHaveNotArrived) {
    // Path 10, 0, 0. The middle owns the five that it has taken before they are there.
    const std::vector<Tokens> beside_first = {0};
    const PrintedProposal first(10, beside_first);
    Tokens owned = printed_deal(first.amount[0], first.tentative, 0);
    Tokens held = 0;
    ASSERT_EQ(owned, 5);

    const std::vector<Tokens> beside_middle = {10, 0};
    const PrintedProposal second(owned, beside_middle);
    const Tokens deal = printed_deal(second.amount[1], second.tentative, 0);
    held -= deal;  // at the acknowledgement
    owned -= deal;
    EXPECT_EQ(held, -2);
    EXPECT_EQ(owned, 3);
}

TEST(Algorithm4, ProposesOnlyTokensThatAreThereUnderAllInterleavingsOfThatPath) {
    const network::Network path(3, {{0, 1}, {1, 2}});
    const programs::AsyncDealAgreement program;
    engine::Explorer<programs::AsyncDealAgreement> explorer(program, path,
                                                            std::vector<Tokens>{10, 0, 0});
    const auto explored = explorer.explore(
        [](const auto& world) {
            for (const auto& node : world.nodes)
                EXPECT_GE(node.tokens, 0);
        },
        [](const auto& /*world*/) {}, 300'000);
    EXPECT_TRUE(explored.acyclic);
}

/// A proposer before the wait of line 22, and its handler of acknowledgements (line 33), which runs
/// beside it.
struct Proposer {
    std::vector<int> lines;  ///< still to run
    bool sent = false;
    bool answered = false;
    bool acknowledged = false;  ///< Ack_q
};

/// In how many ways, over all interleavings, the proposer waits for ever.
int ways_to_wait_for_ever(const Proposer& at) {
    int ways = 0;
    bool moves = false;
    if (!at.lines.empty()) {
        moves = true;
        Proposer next = at;
        (at.lines.front() == 20 ? next.sent : next.acknowledged) = at.lines.front() == 20;
        next.lines.erase(next.lines.begin());
        ways += ways_to_wait_for_ever(next);
    }
    if (at.sent && !at.answered) {
        moves = true;
        Proposer next = at;
        next.answered = true;
        next.acknowledged = true;
        ways += ways_to_wait_for_ever(next);
    }
    return moves ? ways : (at.acknowledged ? 0 : 1);
}

TEST(Algorithm4AsPrinted, LosesAnAcknowledgementThatComesBetweenLines20And21) {
    EXPECT_EQ(ways_to_wait_for_ever({{20, 21}}), 1);
    EXPECT_EQ(ways_to_wait_for_ever({{21, 20}}), 0);
}

}  // namespace
}  // namespace equipoise::test
