#include "equipoise/optimum/exchanges/minimum_exchanges.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::optimum {
namespace {

using network::Network;

Network star_with_six_leaves() {
    return Network(7, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}});
}

/// Whether every node holds floor or ceiling of its share of all tokens.
bool perfect(const load::Loads& loads, const std::vector<Tokens>& speeds) {
    const Tokens total = load::total(loads);
    Tokens speed_total = 0;
    for (const Tokens speed : speeds)
        speed_total += speed;
    if (speed_total < 1) return false;
    for (std::size_t v = 0; v < loads.size(); ++v) {
        const Tokens share = total * speeds[v];
        if (loads[v] < floor_divide(share, speed_total)) return false;
        if (loads[v] > ceil_divide(share, speed_total)) return false;
    }
    return true;
}

/// Moves of one token over one link until perfect, by breadth-first search over all loads.
Tokens fewest_by_search(const Network& tree, const load::Loads& loads,
                        const std::vector<Tokens>& speeds) {
    std::map<load::Loads, Tokens> moves = {{loads, 0}};
    std::deque<load::Loads> open = {loads};
    while (true) {
        const load::Loads at = open.front();
        open.pop_front();
        if (perfect(at, speeds)) return moves[at];
        for (const Ends& link : tree.links()) {
            for (const auto& [from, to] :
                 {std::pair(link.tail, link.head), std::pair(link.head, link.tail)}) {
                if (at[from] == 0) continue;
                load::Loads next = at;
                --next[from];
                ++next[to];
                if (moves.try_emplace(next, moves[at] + 1).second) open.push_back(next);
            }
        }
    }
}

/// |tokens that must cross a link| summed over links, for given targets.
Tokens cost_of_targets(const Network& tree, const load::Loads& loads, const load::Loads& targets) {
    Tokens cost = 0;
    for (const Ends& cut : tree.links()) {
        std::vector<NodeId> side = {cut.head};
        Tokens crossing = 0;
        std::vector<bool> seen(loads.size(), false);
        seen[cut.tail] = seen[cut.head] = true;
        for (std::size_t i = 0; i < side.size(); ++i) {
            crossing += loads[side[i]] - targets[side[i]];
            for (const NodeId next : tree.neighbours(side[i])) {
                if (seen[next]) continue;
                seen[next] = true;
                side.push_back(next);
            }
        }
        cost += crossing < 0 ? -crossing : crossing;
    }
    return cost;
}

/// The least cost over all ways to place the extra tokens.
Tokens fewest_by_targets(const Network& tree, const load::Loads& loads) {
    const Tokens total = load::total(loads);
    const auto count = static_cast<Tokens>(loads.size());
    Tokens least = -1;
    for (unsigned chosen = 0; chosen < 1U << loads.size(); ++chosen) {
        if (std::popcount(chosen) != total % count) continue;
        load::Loads targets(loads.size(), total / count);
        for (std::size_t v = 0; v < loads.size(); ++v)
            targets[v] += (chosen >> v) & 1U;
        const Tokens cost = cost_of_targets(tree, loads, targets);
        if (least < 0 || cost < least) least = cost;
    }
    return least;
}

/// Checks that the flows lead from the loads to the result's loads, and cost what the result says.
void expect_flows_to_lead_there(const Network& tree, const load::Loads& loads,
                                const MinimumExchanges& found) {
    load::Loads after = loads;
    Tokens crossed = 0;
    for (LinkId link = 0; link < tree.link_count(); ++link) {
        after[tree.ends(link).tail] -= found.flows[link];
        after[tree.ends(link).head] += found.flows[link];
        crossed += found.flows[link] < 0 ? -found.flows[link] : found.flows[link];
    }
    EXPECT_EQ(after, found.loads);
    EXPECT_EQ(crossed, found.exchanges);
}

TEST(MinimumExchanges, AreThoseOfTheBestPlacesForTheExtrasOnAllTreesUpToSevenNodes) {
    for (NodeId nodes = 1; nodes <= 7; ++nodes) {
        const std::vector<Tokens> unit(nodes, 1);
        for (const Network& tree : test::all_trees(nodes)) {
            for (Tokens tokens = 0; tokens <= (nodes < 6 ? 9 : nodes == 6 ? 7 : 5); ++tokens) {
                test::for_all_loads(nodes, tokens, [&](const load::Loads& loads) {
                    const MinimumExchanges found = minimum_exchanges(tree, loads);
                    EXPECT_TRUE(perfect(found.loads, unit));
                    expect_flows_to_lead_there(tree, loads, found);
                    EXPECT_EQ(found.exchanges, fewest_by_targets(tree, loads));
                });
            }
        }
    }
}

TEST(MinimumExchanges, AreTheFewestMovesOfASearchOverAllLoadsAndManySpeeds) {
    RandomStream random(3, Purpose::sampling);
    for (NodeId nodes = 1; nodes <= 5; ++nodes) {
        for (const Network& tree : test::all_trees(nodes)) {
            for (int round = 0; round < 40; ++round) {
                load::Loads loads(nodes);
                std::vector<Tokens> speeds(nodes);
                for (NodeId v = 0; v < nodes; ++v) {
                    loads[v] = static_cast<Tokens>(random.below(4));
                    speeds[v] = round == 0 ? 1 : static_cast<Tokens>(random.below(5));
                }
                speeds[random.below(nodes)] += 1;
                const MinimumExchanges found = minimum_exchanges(tree, loads, speeds);
                EXPECT_TRUE(perfect(found.loads, speeds));
                expect_flows_to_lead_there(tree, loads, found);
                EXPECT_EQ(found.exchanges, fewest_by_search(tree, loads, speeds));
            }
        }
    }
}

TEST(MinimumExchanges, MatchKnownOptima) {
    const Network path(3, {{1, 0}, {0, 2}});
    EXPECT_EQ(minimum_exchanges(path, load::Loads{0, 3, 2}).exchanges, 1);
    EXPECT_EQ(minimum_exchanges(path, load::Loads{1, 0, 0}).exchanges, 0);
    EXPECT_EQ(minimum_exchanges(Network(2, {{0, 1}}), load::Loads{0, 5}).exchanges, 2);
    EXPECT_EQ(minimum_exchanges(star_with_six_leaves(), load::Loads{0, 0, 1, 1, 1, 1, 1}).exchanges,
              0);
    std::vector<Ends> links;
    for (NodeId v = 0; v + 1 < 9; ++v)
        links.push_back({v, v + 1});
    load::Loads spike(9, 0);
    spike[0] = 22;
    EXPECT_EQ(minimum_exchanges(Network(9, links), spike).exchanges, 78);
}

TEST(MinimumExchanges, NoOtherPlaceForOneExtraIsCheaperOnRandomTrees) {
    RandomStream random(4, Purpose::sampling);
    for (int round = 0; round < 40; ++round) {
        const auto nodes = static_cast<NodeId>(2 + random.below(60));
        const Network tree = test::random_tree(nodes, random, round % 2 == 0 ? 2 : no_node);
        load::Loads loads(nodes, 0);
        for (int i = 0; i < 10 * round; ++i)
            ++loads[random.below(round % 3 == 0 ? 1 + nodes / 8 : nodes)];
        const MinimumExchanges found = minimum_exchanges(tree, loads);
        expect_flows_to_lead_there(tree, loads, found);
        const Tokens floor = load::total(loads) / Tokens{nodes};
        for (NodeId from = 0; from < nodes; ++from) {
            if (found.loads[from] == floor) continue;
            for (NodeId to = 0; to < nodes; ++to) {
                if (found.loads[to] != floor || found.loads[from] == floor) continue;
                load::Loads targets = found.loads;
                --targets[from];
                ++targets[to];
                EXPECT_GE(cost_of_targets(tree, loads, targets), found.exchanges);
            }
        }
    }
}

TEST(MinimumExchanges, AMillionNodesInALineAndInARandomTreeCostWhatTheirFlowsSay) {
    constexpr NodeId nodes = 1'000'000;
    RandomStream random(5, Purpose::sampling);
    for (const NodeId reach : {NodeId{1}, no_node}) {
        const Network tree = test::random_tree(nodes, random, reach);
        load::Loads loads(nodes);
        for (Tokens& load : loads)
            load = static_cast<Tokens>(random.below(100));
        const MinimumExchanges found = minimum_exchanges(tree, loads);
        EXPECT_LE(load::discrepancy(found.loads), 1);
        expect_flows_to_lead_there(tree, loads, found);
    }
}

TEST(MinimumExchanges, EqualASearchOnAllGraphsUpToFourNodes) {
    for (NodeId nodes = 2; nodes <= 4; ++nodes)
        for (const Network& network : test::connected_graphs(nodes))
            for (Tokens tokens = 0; tokens <= 5; ++tokens)
                test::for_all_loads(nodes, tokens, [&](const load::Loads& loads) {
                    for (const std::vector<Tokens>& speeds :
                         {std::vector<Tokens>(nodes, 1), std::vector<Tokens>{2, 1, 3, 1}}) {
                        const std::vector<Tokens> own(speeds.begin(), speeds.begin() + nodes);
                        const MinimumExchanges found = minimum_exchanges(network, loads, own);
                        EXPECT_TRUE(perfect(found.loads, own));
                        EXPECT_EQ(found.exchanges, fewest_by_search(network, loads, own));
                    }
                });
}

TEST(MinimumExchanges, RefuseWhatCannotBeReachedAndWhatDoesNotFit) {
    const Network apart(4, {{0, 1}, {1, 2}, {0, 2}});
    EXPECT_EQ(minimum_exchanges(apart, load::Loads{0, 1, 2, 1}).exchanges, 1);
    EXPECT_THROW(static_cast<void>(minimum_exchanges(apart, load::Loads{0, 0, 0, 4})),
                 UnsuitableError);
    const Network pair(2, {{0, 1}});
    EXPECT_THROW(static_cast<void>(minimum_exchanges(pair, load::Loads{1})), InputError);
    EXPECT_THROW(static_cast<void>(minimum_exchanges(pair, load::Loads{1, -1})), InputError);
    EXPECT_THROW(
        static_cast<void>(minimum_exchanges(pair, load::Loads{1, 1}, std::vector<Tokens>{0, 0})),
        InputError);
}

TEST(MinimumExchanges, RefuseACostBeyond64Bits) {
    std::vector<Ends> links;
    for (NodeId v = 0; v + 1 < 40; ++v)
        links.push_back({v, v + 1});
    load::Loads spike(40, 0);
    spike[0] = tokens_max;
    EXPECT_THROW(static_cast<void>(minimum_exchanges(Network(40, links), spike)), OverflowError);
}

}  // namespace
}  // namespace equipoise::optimum
