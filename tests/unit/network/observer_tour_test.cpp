#include "equipoise/network/structure/observer_tour.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::network {
namespace {

/// Where an observer that is at `node` at time `step` is one step later: read off the definition.
NodeId step_of(const Network& network, const EdgeColouring& colouring, NodeId node, Step step) {
    for (Port port = 0; port < network.degree(node); ++port) {
        if (colouring.by_link[network.link(node, port)] == step % colouring.colour_count)
            return network.neighbour(node, port);
    }
    return node;
}

TEST(Trees, AreCountedRightUpToElevenNodes) {
    const std::vector<std::size_t> counts{1, 1, 1, 2, 3, 6, 11, 23, 47, 106, 235};
    for (NodeId n = 1; n <= counts.size(); ++n)
        EXPECT_EQ(test::all_trees(n).size(), counts[n - 1]) << n << " nodes";
}

TEST(ObserverTour, IsOneCycleOfAllNodesOnEveryTreeAndColouring) {
    RandomStream random(1, Purpose::sampling);
    for (NodeId n = 2; n <= 9; ++n) {
        for (const auto& tree : test::all_trees(n)) {
            for (Colour spare = 0; spare < 3; ++spare) {
                const auto colouring =
                    test::random_tree_colouring(tree, tree.degree_max() + spare, random);
                for (Colour start = 0; start < colouring.colour_count; ++start) {
                    const ObserverTour tour(tree, colouring, start);
                    ASSERT_EQ(tour.cycle_count(), 1U);
                    ASSERT_EQ(tour.cycle(0).size(), n);
                }
                EXPECT_EQ(stability_window(tree, colouring),
                          Step{colouring.colour_count} * tree.node_count());
            }
        }
    }
}

TEST(ObserverTour, GapsCountTheRoundsAnObserverNeeds) {
    RandomStream random(2, Purpose::sampling);
    for (int repetition = 0; repetition < 20; ++repetition) {
        const auto tree = test::random_tree(12, random);
        const auto colouring = test::random_tree_colouring(tree, tree.degree_max() + 1, random);
        const auto start = static_cast<Colour>(random.below(colouring.colour_count));
        const ObserverTour tour(tree, colouring, start);
        for (NodeId from = 0; from < 12; ++from) {
            NodeId at = from;
            Step time = start;
            for (NodeId rounds = 0; rounds < 12; ++rounds) {
                EXPECT_EQ(tour.gap(from, at), rounds);
                for (Colour i = 0; i < colouring.colour_count; ++i)
                    at = step_of(tree, colouring, at, time++);
            }
            EXPECT_EQ(at, from);
            for (NodeId via = 0; via < 12; ++via) {
                for (NodeId to = 0; to < 12; ++to)
                    EXPECT_EQ((tour.gap(from, via) + tour.gap(via, to)) % 12, tour.gap(from, to));
            }
        }
    }
}

TEST(ObserverTour, FollowsTheOrderOfVisitsOnAPathOfThreeNodes) {
    // Links 0-1 of colour 0 and 1-2 of colour 1: from node 0 the observer is at 2 after a round,
    // then waits at 2 and goes to 1, then goes to 0 and waits.
    const Network path(3, {{0, 1}, {1, 2}});
    const ObserverTour tour(path, EdgeColouring{2, {0, 1}});
    const auto cycle = tour.cycle(0);
    EXPECT_EQ(std::vector<NodeId>(cycle.begin(), cycle.end()), (std::vector<NodeId>{0, 2, 1}));
}

TEST(ObserverTour, HasTwoCyclesOnAnEvenCycle) {
    const Network square(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
    const EdgeColouring colouring{2, {0, 1, 1, 0}};  // links 0-1, 0-3, 1-2, 2-3
    const ObserverTour tour(square, colouring);
    EXPECT_EQ(tour.cycle_count(), 2U);
    EXPECT_EQ(tour.cycle(0).size(), 2U);
    EXPECT_NE(tour.cycle_of(0), tour.cycle_of(1));
    EXPECT_EQ(tour.gap(0, 2), 1U);
    EXPECT_EQ(stability_window(square, colouring), 4U);
}

TEST(StabilityWindow, IsLongerThanRoundsTimesNodesWhereCyclesHaveCoprimeLengths) {
    // Links in order: 0-1, 0-2, 0-4, 0-5, 1-4, 1-6, 3-6.
    const Network network(7, {{0, 2}, {1, 6}, {1, 4}, {0, 4}, {3, 6}, {0, 5}, {0, 1}});
    const EdgeColouring colouring{5, {4, 0, 2, 3, 1, 0, 2}};
    const ObserverTour tour(network, colouring);
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < tour.cycle_count(); ++i)
        nodes += tour.cycle(i).size();
    EXPECT_EQ(nodes, 7U);
    EXPECT_GT(tour.cycle_count(), 1U);
    EXPECT_GT(stability_window(network, colouring), 37U);
    EXPECT_LE(stability_window(network, colouring), 5U * 49 / 4);
}

TEST(StabilityWindow, IsZeroForOneNode) {
    EXPECT_EQ(stability_window(Network(1, {}), EdgeColouring{}), 0U);
    EXPECT_EQ(ObserverTour(Network(1, {}), EdgeColouring{}).cycle_count(), 1U);
    EXPECT_EQ(ObserverTour(Network(), EdgeColouring{}).cycle_count(), 0U);
}

TEST(ObserverTour, RefusesImproperColourings) {
    const Network path(3, {{0, 1}, {1, 2}});
    EXPECT_THROW(ObserverTour(path, EdgeColouring{1, {0, 0}}), InputError);
    EXPECT_THROW(ObserverTour(path, EdgeColouring{2, {0}}), InputError);
    EXPECT_THROW(ObserverTour(path, EdgeColouring{2, {0, 2}}), InputError);
    EXPECT_THROW(ObserverTour(path, EdgeColouring{2, {0, 1}}, 2), InputError);
}

}  // namespace
}  // namespace equipoise::network
