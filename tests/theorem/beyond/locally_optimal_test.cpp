// The problem of Feuilloley, Hirvonen, Suomela 2015, as their abstract states it: "the customers
// (tokens) are moved until no two neighbours differ by more than one"; their algorithms were not
// seen, so nothing that they prove is checked here.
//
// Proved on docs/results/local-optima.md for the rule of locally-optimal: a run stops exactly when
// no two neighbours differ by more than one; a round with a deal lowers the sum of squared loads by
// at least 2 (4k - 2 for every chain of k deals), so that there are at most Phi / 2 of them; the
// largest load never rises and the smallest never falls.
//
// Measured: the rounds of the worst loads of paths, and of blocks on cycles.

#include "equipoise/protocols/locally_optimal.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/theory/deal_agreement.hpp"
#include "tests/support/deal_play.hpp"
#include "tests/theorem/dinitz/deal_cases.hpp"

namespace equipoise::test::locally_optimal {
namespace {

using protocols::LocallyOptimal;

Int128 sum_of_squares(const load::Loads& loads) {
    Int128 sum = 0;
    for (const Tokens load : loads)
        sum += Int128{load} * load;
    return sum;
}

/// The deals that no other deal of the round leads to begin chains: a node gives and takes at most
/// one token, and only to less.
std::size_t chains(const std::vector<model::Transfer>& deals, std::vector<int>& given,
                   std::vector<int>& taken) {
    for (const model::Transfer& deal : deals) {
        ++given[deal.from];
        ++taken[deal.to];
    }
    return static_cast<std::size_t>(
        std::count_if(deals.begin(), deals.end(),
                      [&](const model::Transfer& deal) { return taken[deal.from] == 0; }));
}

void check_round(const DealCase& at, const DealPlay<LocallyOptimal>& play,
                 const std::vector<model::Transfer>& deals) {
    const load::Loads& before = play.before();
    const load::Loads after = play.loads();
    std::vector<int> given(before.size(), 0);
    std::vector<int> taken(before.size(), 0);
    const auto begun = static_cast<Int128>(chains(deals, given, taken));
    ASSERT_LE(*std::max_element(given.begin(), given.end()), 1);
    ASSERT_LE(*std::max_element(taken.begin(), taken.end()), 1);
    for (const model::Transfer& deal : deals) {
        ASSERT_EQ(deal.tokens, 1);
        ASSERT_GE(before[deal.from] - before[deal.to], 2);
    }
    ASSERT_EQ(deals.empty(), steepest_link(at.graph, before) <= 1) << "stops iff locally optimal";
    const auto many = static_cast<Int128>(deals.size());
    ASSERT_GE(sum_of_squares(before) - sum_of_squares(after), 4 * many - 2 * begun);
    const auto [least_before, most_before] = std::minmax_element(before.begin(), before.end());
    const auto [least, most] = std::minmax_element(after.begin(), after.end());
    ASSERT_LE(*most, *most_before);
    ASSERT_GE(*least, *least_before);
}

TEST(LocallyOptimal, StopsExactlyWhenNeighboursDifferByAtMostOneAndEveryRoundLowersTheSquares) {
    for_each_deal_case([](const DealCase& at) {
        if (HasFatalFailure()) return;
        DealPlay<LocallyOptimal> play({}, at.graph, at.loads);
        const std::uint64_t bound =
            theory::deal_rounds_by_potential(load::potential(at.loads), at.loads.size());
        std::uint64_t rounds = 0;
        for (bool deals = true; deals; rounds += deals ? 1 : 0) {
            const std::vector<model::Transfer>& round = play.round();
            check_round(at, play, round);
            if (HasFatalFailure()) return;
            deals = !round.empty();
        }
        ASSERT_LE(rounds, bound);
        ASSERT_EQ(load::total(play.loads()), load::total(at.loads));
    });
}

TEST(LocallyOptimal, TheBoundByThePotentialIsAttainedByOneLinkWithTwoTokens) {
    const network::Network link(2, {{0, 1}});
    DealPlay<LocallyOptimal> play({}, link, {2, 0});
    EXPECT_EQ(play.rounds_until_quiet(10), 1U);
    EXPECT_EQ(theory::deal_rounds_by_potential(load::potential(load::Loads{2, 0}), 2), 1U);
}

network::Network line(NodeId nodes, bool closed) {
    std::vector<Ends> links;
    for (NodeId node = 0; node + 1 < nodes; ++node)
        links.push_back({node, node + 1});
    if (closed) links.push_back({0, nodes - 1});
    return {nodes, links};
}

TEST(LocallyOptimal, WorstRoundsOnShortPathsAreThoseMeasured) {
    struct Row {
        Tokens most;
        NodeId nodes_max;
        std::uint64_t rounds;
    };
    constexpr std::array<Row, 5> rows = {{{2, 8, 2}, {3, 7, 3}, {4, 8, 5}, {5, 6, 6}, {6, 6, 8}}};
    for (const Row& row : rows) {
        std::uint64_t worst = 0;
        for (NodeId nodes = 2; nodes <= row.nodes_max; ++nodes) {
            const network::Network path = line(nodes, false);
            for_each_loads(nodes, row.most, [&](const load::Loads& loads) {
                DealPlay<LocallyOptimal> play({}, path, loads);
                worst = std::max(worst, play.rounds_until_quiet(1000));
            });
        }
        EXPECT_EQ(worst, row.rounds) << "L = " << row.most;
    }
}

TEST(LocallyOptimal, RoundsOfABlockOnACycleDoNotDependOnTheNumberOfNodes) {
    struct Row {
        Tokens most;
        std::uint64_t rounds;
    };
    constexpr std::array<Row, 4> rows = {{{4, 4}, {8, 14}, {16, 51}, {32, 192}}};
    for (const NodeId nodes : {256U, 4096U}) {
        const network::Network cycle = line(nodes, true);
        for (const Row& row : rows) {
            load::Loads block(nodes, 0);
            std::fill_n(block.begin(), row.most, row.most);
            DealPlay<LocallyOptimal> play({}, cycle, block);
            EXPECT_EQ(play.rounds_until_quiet(10'000), row.rounds) << nodes << ' ' << row.most;
        }
    }
}

}  // namespace
}  // namespace equipoise::test::locally_optimal
