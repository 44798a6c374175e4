// Perfect token distribution under every order of starts and arrivals on all trees of five nodes.

#include <vector>

#include <gtest/gtest.h>

#include "equipoise/programs/perfect_tree.hpp"
#include "tests/support/all_loads.hpp"
#include "tests/support/perfect_interleavings.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::programs {
namespace {

TEST(Theorem3Margara, PerfectUnderAllInterleavingsOnAllTreesOfFiveNodesWithUpToSixTokens) {
    for (const auto choice :
         {PerfectTree::RootChoice::reserve, PerfectTree::RootChoice::link_end}) {
        const PerfectTree program(choice);
        for (const network::Network& tree : test::all_trees(5))
            for (Tokens tokens = 0; tokens <= 6; ++tokens)
                test::for_all_loads(5, tokens, [&](const std::vector<Tokens>& loads) {
                    test::expect_perfect_in_all_interleavings(program, tree, loads);
                });
    }
}

}  // namespace
}  // namespace equipoise::programs
