// Lemma 9: two observers of a c-phase on a tree are at the ends of a common active link during the
// phase if and only if their c-gap is in SG_1.

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/network/structure/observer_tour.hpp"
#include "tests/support/trees.hpp"

namespace equipoise {
namespace {

/// meets[v][w]: whether the observers of v and w stand at the ends of an active link at some step
/// of the phase that begins at step `start`.
std::vector<std::vector<bool>> meetings(const network::Network& tree,
                                        const network::EdgeColouring& colouring, Step start) {
    const NodeId n = tree.node_count();
    std::vector<std::vector<bool>> meets(n, std::vector<bool>(n, false));
    std::vector<NodeId> observer_at(n);
    for (NodeId node = 0; node < n; ++node)
        observer_at[node] = node;
    for (Step i = 0; i < Step{colouring.colour_count} * n; ++i) {
        for (LinkId link = 0; link < tree.link_count(); ++link) {
            if (colouring.by_link[link] != (start + i) % colouring.colour_count) continue;
            auto& v = observer_at[tree.ends(link).tail];
            auto& w = observer_at[tree.ends(link).head];
            meets[v][w] = meets[w][v] = true;
            std::swap(v, w);
        }
    }
    // After a phase all observers are back.
    EXPECT_TRUE(std::is_sorted(observer_at.begin(), observer_at.end()));
    return meets;
}

void expect_lemma_9(const network::Network& tree, const network::EdgeColouring& colouring) {
    const auto gaps = analysis::stable_gaps(tree).gaps;
    for (Colour start = 0; start < colouring.colour_count; ++start) {
        const network::ObserverTour tour(tree, colouring, start);
        const auto meets = meetings(tree, colouring, start);
        for (NodeId v = 0; v < tree.node_count(); ++v) {
            for (NodeId w = 0; w < tree.node_count(); ++w)
                ASSERT_EQ(meets[v][w], std::binary_search(gaps.begin(), gaps.end(),
                                                          std::uint64_t{tour.gap(v, w)}));
        }
    }
}

TEST(Lemma9, HoldsOnAllTreesUpToTenNodesWithOwnAndRandomColourings) {
    RandomStream random(9, Purpose::sampling);
    for (NodeId nodes = 2; nodes <= 10; ++nodes) {
        for (const auto& tree : test::all_trees(nodes)) {
            expect_lemma_9(tree, network::colour_tree(tree));
            for (Colour spare = 0; spare < 2; ++spare)
                expect_lemma_9(
                    tree, test::random_tree_colouring(tree, tree.degree_max() + spare, random));
        }
    }
}

}  // namespace
}  // namespace equipoise
