// Lemma 7: when a phase of THRESHOLD-1 on a tree leaves the global minimum as it was, every node
// that ends with the minimum began with it; the same for the maximum.
// Lemma 8: from every distribution on a tree THRESHOLD-1 reaches a stable one. Each phase before
// lowers the sum of squared loads by at least 2.

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/threshold_reference.hpp"
#include "tests/support/trees.hpp"

namespace equipoise {
namespace {

Tokens sum_of_squares(const load::Loads& loads) {
    Tokens sum = 0;
    for (const Tokens load : loads)
        sum += load * load;
    return sum;
}

void expect_lemma_7(const load::Loads& before, const load::Loads& after) {
    const auto [least_before, most_before] = std::minmax_element(before.begin(), before.end());
    const auto [least_after, most_after] = std::minmax_element(after.begin(), after.end());
    for (std::size_t node = 0; node < before.size(); ++node) {
        if (*least_before == *least_after && after[node] == *least_after) {
            ASSERT_EQ(before[node], *least_before);
        }
        if (*most_before == *most_after && after[node] == *most_after) {
            ASSERT_EQ(before[node], *most_before);
        }
    }
}

TEST(Lemma7, HoldsOnAllTreesUpToSixNodesWithUpToFourTokensANode) {
    RandomStream random(7, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 6; ++nodes) {
        for (const auto& tree : test::all_trees(nodes)) {
            load::Loads loads(nodes, 0);
            do {
                const auto spare = static_cast<Colour>(random.below(2));
                const auto colouring =
                    test::random_tree_colouring(tree, tree.degree_max() + spare, random);
                load::Loads after = loads;
                test::threshold_1_phase(tree, colouring, after,
                                        random.below(colouring.colour_count));
                expect_lemma_7(loads, after);
            } while (test::next_loads(loads, 4));
        }
    }
}

TEST(Lemma8, ReachesAStableDistributionOnAllTreesUpToNineNodes) {
    RandomStream random(8, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 9; ++nodes) {
        for (const auto& tree : test::all_trees(nodes)) {
            for (int repetition = 0; repetition < 5; ++repetition) {
                const auto colouring =
                    test::random_tree_colouring(tree, tree.degree_max() + 1, random);
                load::Loads loads(nodes);
                for (auto& load : loads)
                    load = static_cast<Tokens>(random.below(50));
                Step step = random.below(colouring.colour_count);
                Tokens squares = sum_of_squares(loads);
                Tokens worst = 2;
                while (worst >= 2) {
                    worst = test::threshold_1_phase(tree, colouring, loads, step);
                    step += Step{colouring.colour_count} * nodes;
                    const Tokens squares_after = sum_of_squares(loads);
                    ASSERT_LE(squares_after, worst >= 2 ? squares - 2 : squares);
                    squares = squares_after;
                }
                EXPECT_TRUE(test::is_stable_when_played(tree, colouring, loads, step));
            }
        }
    }
}

}  // namespace
}  // namespace equipoise
