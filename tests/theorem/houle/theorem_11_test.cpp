// Lemma 10: a distribution on a tree is stable under THRESHOLD-1 at a time t = c modulo chi if and
// only if nodes whose c-gap is in SG_1 differ by at most one token.
// Theorem 11: if and only if any two nodes v, w differ by at most stability(gap_c(v, w)).

#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/network/structure/observer_tour.hpp"
#include "tests/support/threshold_reference.hpp"
#include "tests/support/trees.hpp"

namespace equipoise {
namespace {

bool differ_by_at_most_the_stability(const network::ObserverTour& tour,
                                     const std::vector<std::uint32_t>& stability,
                                     const load::Loads& loads) {
    for (NodeId v = 0; v < tour.node_count(); ++v) {
        for (NodeId w = 0; w < tour.node_count(); ++w) {
            if (loads[v] - loads[w] > static_cast<Tokens>(stability[tour.gap(v, w)])) return false;
        }
    }
    return true;
}

/// Checks both characterisations against the protocol itself; returns whether the loads are stable.
bool expect_characterisations(const network::Network& tree, const network::EdgeColouring& colouring,
                              const load::Loads& loads, Colour start,
                              const std::vector<std::uint32_t>& stability) {
    const bool stable = test::is_stable_when_played(tree, colouring, loads, start);
    EXPECT_EQ(analysis::is_stable(tree, colouring, loads, start), stable);
    const network::ObserverTour tour(tree, colouring, start);
    EXPECT_EQ(differ_by_at_most_the_stability(tour, stability, loads), stable);
    return stable;
}

TEST(Lemma10AndTheorem11, HoldForAllLoadsUpToThreeOnAllTreesUpToSixNodes) {
    RandomStream random(11, Purpose::sampling);
    int stable = 0;
    for (NodeId nodes = 2; nodes <= 6; ++nodes) {
        for (const auto& tree : test::all_trees(nodes)) {
            const auto stability = analysis::stabilities(analysis::stable_gaps(tree));
            load::Loads loads(nodes, 0);
            do {
                const auto spare = static_cast<Colour>(random.below(2));
                const auto colouring =
                    test::random_tree_colouring(tree, tree.degree_max() + spare, random);
                const auto start = static_cast<Colour>(random.below(colouring.colour_count));
                if (expect_characterisations(tree, colouring, loads, start, stability)) ++stable;
            } while (test::next_loads(loads, 3));
        }
    }
    EXPECT_GT(stable, 100);
}

TEST(Lemma10AndTheorem11, HoldWhereThresholdOneIsAboutToSettleOnLargerTrees) {
    RandomStream random(12, Purpose::sampling);
    int stable = 0;
    int unstable = 0;
    for (int repetition = 0; repetition < 300; ++repetition) {
        const auto nodes = static_cast<NodeId>(7 + random.below(30));
        const auto tree = test::random_tree(nodes, random);
        const auto stability = analysis::stabilities(analysis::stable_gaps(tree));
        const auto colouring = test::random_tree_colouring(tree, tree.degree_max(), random);
        load::Loads loads(nodes);
        for (auto& load : loads)
            load = static_cast<Tokens>(random.below(6));
        Step step = 0;
        for (int settled = 0; settled < 2; ++step) {
            const auto start = static_cast<Colour>(step % colouring.colour_count);
            if (expect_characterisations(tree, colouring, loads, start, stability)) {
                ++stable;
                ++settled;
            } else {
                ++unstable;
            }
            test::threshold_step(tree, colouring, loads, step, 1);
        }
    }
    EXPECT_GE(stable, 600);
    EXPECT_GE(unstable, 300);
}

}  // namespace
}  // namespace equipoise
