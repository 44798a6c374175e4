// How large a discrepancy rules without memory of their neighbours can keep for ever: the starts
// that docs/results/stateless-diffusion.md counts as lower bounds. Each is on a cycle of states
// (loads and rotors): played on, it comes back. rotor_states_test.cpp has what bipartite networks
// keep.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/load/loads.hpp"
#include "equipoise/network/generators/classic.hpp"
#include "equipoise/network/generators/hypercubic.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/protocols/rotor_router.hpp"
#include "equipoise/protocols/send.hpp"
#include "tests/support/played_rule.hpp"

namespace equipoise::test::recurrent_discrepancy {
namespace {

using load::Loads;
using protocols::RotorRouter;
using protocols::Send;
using Variant = RotorRouter::Variant;

/// Every node of one half of six is linked to every one of the other.
network::Network three_by_three() {
    std::vector<Ends> links;
    for (NodeId tail = 0; tail < 3; ++tail)
        for (NodeId head = 3; head < 6; ++head)
            links.push_back({tail, head});
    return {6, std::move(links)};
}

/// Two rings of five nodes, linked node by node.
network::Network prism() {
    std::vector<Ends> links;
    for (NodeId node = 0; node < 5; ++node) {
        links.push_back({node, (node + 1) % 5});
        links.push_back({5 + node, 5 + (node + 1) % 5});
        links.push_back({node, 5 + node});
    }
    return {10, std::move(links)};
}

/// Whether the process comes back to where it starts; counts the rounds.
template <class R>
bool comes_back(const R& rule, const network::Network& network,
                const typename PlayedRule<R>::Moment& start) {
    constexpr int rounds_max = 2'000'000;
    PlayedRule<R> play(rule, network);
    typename PlayedRule<R>::Moment at = start;
    for (int round = 0; round < rounds_max; ++round) {
        play.round(at);
        if (at == start) return true;
    }
    return false;
}

void expect_kept(const network::Network& network, Variant variant, const Loads& loads,
                 const std::vector<Tokens>& rotors, Tokens discrepancy) {
    PlayedRule<RotorRouter>::Moment start{loads, {}};
    for (const Tokens next : rotors)
        start.states.push_back({next});
    EXPECT_EQ(load::discrepancy(loads), discrepancy);
    EXPECT_TRUE(comes_back(RotorRouter(network.degree_max(), variant), network, start));
}

void expect_kept(const network::Network& network, const Send& rule, const Loads& loads,
                 Tokens discrepancy) {
    EXPECT_EQ(load::discrepancy(loads), discrepancy);
    EXPECT_TRUE(comes_back(rule, network, {loads, std::vector<model::Nothing>(loads.size())}));
}

TEST(RecurrentDiscrepancy, OfThePlainRotorRouter) {
    constexpr Variant plain = Variant::plain;
    expect_kept(network::make_cycle(4), plain, {8, 4, 7, 5}, {0, 2, 0, 1}, 4);
    expect_kept(network::make_cycle(6), plain, {4, 0, 3, 2, 2, 1}, {0, 2, 0, 3, 1, 1}, 4);
    expect_kept(network::make_cycle(8), plain, {4, 4, 4, 4, 5, 2, 6, 3}, {1, 2, 2, 2, 1, 2, 0, 2},
                4);
    expect_kept(network::make_cycle(12), plain, {2, 3, 0, 4, 1, 2, 2, 2, 2, 2, 2, 2},
                {1, 1, 2, 0, 1, 0, 0, 0, 3, 1, 3, 3}, 4);
    expect_kept(network::make_complete(4), plain, {3, 6, 3, 2}, {2, 0, 2, 2}, 4);
    expect_kept(prism(), plain, {9, 10, 6, 11, 8, 8, 9, 11, 8, 10}, {2, 1, 3, 0, 4, 5, 5, 0, 2, 0},
                5);
    expect_kept(network::make_complete(5), plain, {12, 12, 13, 16, 10}, {3, 3, 3, 0, 4}, 6);
}

TEST(RecurrentDiscrepancy, OfTheStarVariant) {
    constexpr Variant star = Variant::star;
    expect_kept(network::make_cycle(4), star, {1, 3, 2, 4}, {2, 2, 2, 0}, 3);
    expect_kept(network::make_cycle(6), star, {7, 7, 5, 8, 6, 6}, {0, 0, 2, 0, 1, 1}, 3);
    expect_kept(network::make_cycle(8), star, {6, 7, 7, 5, 8, 6, 6, 7}, {1, 2, 1, 2, 0, 1, 0, 0},
                3);
    expect_kept(network::make_cycle(12), star, {3, 1, 4, 2, 2, 3, 2, 3, 3, 2, 2, 3},
                {0, 2, 0, 1, 0, 2, 2, 0, 0, 1, 0, 0}, 3);
    expect_kept(network::make_complete(4), star, {12, 11, 8, 10}, {0, 1, 3, 2}, 4);
    expect_kept(three_by_three(), star, {5, 5, 6, 2, 1, 2}, {0, 1, 0, 3, 3, 4}, 5);
    expect_kept(network::make_hypercube(3), star, {10, 8, 10, 9, 7, 12, 11, 9},
                {1, 3, 4, 4, 3, 0, 1, 4}, 5);
    expect_kept(prism(), star, {10, 10, 10, 8, 10, 10, 10, 7, 12, 8},
                {1, 3, 1, 4, 4, 1, 2, 3, 0, 3}, 5);
    expect_kept(network::make_complete(5), star, {5, 5, 5, 8, 2}, {3, 3, 3, 0, 4}, 6);
    expect_kept(network::make_hypercube(4), star, {7, 4, 6, 7, 6, 8, 6, 5, 4, 8, 8, 4, 7, 5, 3, 6},
                {1, 4, 6, 2, 0, 0, 2, 2, 4, 0, 1, 4, 2, 6, 4, 3}, 5);
}

TEST(RecurrentDiscrepancy, OfSendRoundWithThreeTimesTheDegree) {
    expect_kept(network::make_cycle(4), Send::round(6), {6, 8, 3, 4}, 5);
    expect_kept(network::make_cycle(6), Send::round(6), {8, 6, 3, 4, 7, 8}, 5);
    expect_kept(network::make_cycle(8), Send::round(6), {7, 8, 8, 4, 3, 8, 7, 3}, 5);
    expect_kept(network::make_cycle(12), Send::round(6), {8, 8, 8, 3, 3, 4, 7, 7, 8, 8, 7, 7}, 5);
    expect_kept(network::make_complete(4), Send::round(9), {8, 13, 7, 5}, 8);
    expect_kept(three_by_three(), Send::round(9), {7, 7, 13, 5, 11, 11}, 8);
    expect_kept(network::make_hypercube(3), Send::round(9), {6, 7, 13, 9, 7, 5, 10, 5}, 8);
    expect_kept(prism(), Send::round(9), {16, 16, 14, 15, 17, 19, 19, 17, 19, 22}, 8);
    expect_kept(network::make_complete(5), Send::round(12), {7, 6, 17, 12, 8}, 11);
    expect_kept(network::make_hypercube(4), Send::round(12),
                {14, 8, 16, 7, 11, 6, 12, 12, 11, 16, 14, 9, 17, 13, 15, 12}, 11);
}

/// Not only at rest: these tokens circulate.
TEST(RecurrentDiscrepancy, OfSendFloorWhoseTokensMoveForEver) {
    for (const Loads& loads : {Loads{2, 4, 2, 5}, Loads{2, 4, 2, 5, 2, 5}}) {
        const network::Network ring = network::make_cycle(static_cast<NodeId>(loads.size()));
        expect_kept(ring, Send::floor(4), loads, 3);
        PlayedRule<Send> play(Send::floor(4), ring);
        PlayedRule<Send>::Moment at = play.start(loads);
        play.round(at);
        EXPECT_NE(at.loads, loads);
    }
}

}  // namespace
}  // namespace equipoise::test::recurrent_discrepancy
