// Not in the paper: of neighbours that are equally empty, and of offers that are equally large, the
// first counts, so that the rounds of Algorithms 2 and 3 depend on how nodes are numbered. These
// are the most rounds with a deal over all numberings of all connected networks of up to five
// nodes, from loads of up to 6 tokens a node that leave a node empty (docs/results/dinitz-2020.md).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/deal_agreement_3.hpp"
#include "tests/support/connected_graphs.hpp"
#include "tests/support/deal_play.hpp"

namespace equipoise::test {
namespace {

using protocols::DealAgreement2;
using protocols::DealAgreement3;

constexpr Tokens most_tokens = 6;

template <class Rule>
std::uint64_t rounds_with_a_deal(const network::Network& graph, const load::Loads& loads) {
    constexpr std::uint64_t rounds_max = 1000;
    return DealPlay<Rule>(Rule(), graph, loads).rounds_until_quiet(rounds_max);
}

/// Every connected network on numbered nodes.
std::vector<network::Network> numbered_networks(NodeId nodes) {
    std::vector<Ends> pairs;
    for (NodeId tail = 0; tail < nodes; ++tail)
        for (NodeId head = tail + 1; head < nodes; ++head)
            pairs.push_back({tail, head});
    std::vector<network::Network> result;
    for (unsigned chosen = 0; chosen < 1U << pairs.size(); ++chosen) {
        std::vector<Ends> links;
        for (std::size_t pair = 0; pair < pairs.size(); ++pair)
            if ((chosen >> pair & 1U) != 0) links.push_back(pairs[pair]);
        network::Network graph(nodes, std::move(links));
        if (network::is_connected(network::AnyNetwork(graph))) result.push_back(std::move(graph));
    }
    return result;
}

/// The most rounds with a deal under Algorithms 2 and 3.
std::pair<std::uint64_t, std::uint64_t> most_rounds(NodeId nodes) {
    std::pair<std::uint64_t, std::uint64_t> most{0, 0};
    for (const network::Network& graph : numbered_networks(nodes))
        for_each_loads(nodes, most_tokens, [&](const load::Loads& loads) {
            if (*std::min_element(loads.begin(), loads.end()) > 0) return;
            most.first = std::max(most.first, rounds_with_a_deal<DealAgreement2>(graph, loads));
            most.second = std::max(most.second, rounds_with_a_deal<DealAgreement3>(graph, loads));
        });
    return most;
}

TEST(MostRoundsOfAllNumberings, AreThoseOfThePageOnUpToFourNodes) {
    EXPECT_EQ(numbered_networks(4).size(), 38U);
    EXPECT_EQ(most_rounds(2), std::pair(1UL, 1UL));
    EXPECT_EQ(most_rounds(3), std::pair(4UL, 4UL));
    EXPECT_EQ(most_rounds(4), std::pair(6UL, 6UL));
}

TEST(MostRoundsOfAllNumberings, AreMoreThanInOneNumberingOnFiveNodes) {
    const network::Network graph(5, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {1, 4}});
    EXPECT_EQ(rounds_with_a_deal<DealAgreement2>(graph, {0, 5, 0, 6, 6}), 8U);
}

TEST(MostRoundsOfAllNumberingsLong, AreEightAndSevenOnFiveNodes) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    EXPECT_EQ(numbered_networks(5).size(), 728U);
    EXPECT_EQ(most_rounds(5), std::pair(8UL, 7UL));
}

}  // namespace
}  // namespace equipoise::test
