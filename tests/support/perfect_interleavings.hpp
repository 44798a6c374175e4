#pragma once
// What Margara, Pistocchi and Vassura promise, checked in every configuration a tree can reach.

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/simulation/explorer.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/programs/perfect_tree.hpp"

namespace equipoise::test {

/// Conservation in every configuration; in every end: all done, perfect, one root.
inline engine::Exploration expect_perfect_in_all_interleavings(const programs::PerfectTree& program,
                                                               const network::Network& tree,
                                                               const std::vector<Tokens>& loads) {
    const Tokens total = std::accumulate(loads.begin(), loads.end(), Tokens{0});
    const auto nodes = static_cast<Tokens>(loads.size());
    engine::Explorer<programs::PerfectTree> explorer(program, tree, loads);
    const engine::Exploration explored =
        explorer.explore([&](const auto& world) { EXPECT_EQ(world.tokens(), total); },
                         [&](const auto& world) {
                             EXPECT_TRUE(world.all_done());
                             int roots = 0;
                             for (const auto& node : world.nodes) {
                                 EXPECT_GE(node.tokens, total / nodes);
                                 EXPECT_LE(node.tokens, (total + nodes - 1) / nodes);
                                 if (node.state.former == programs::PerfectTree::no_port) ++roots;
                             }
                             EXPECT_EQ(roots, 1);
                         });
    EXPECT_TRUE(explored.complete);
    EXPECT_TRUE(explored.acyclic);
    EXPECT_GE(explored.ends, 1U);
    return explored;
}

}  // namespace equipoise::test
