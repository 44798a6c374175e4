#include "equipoise/network/generators/free_trees.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "tests/support/trees.hpp"

namespace equipoise::network {
namespace {

TEST(FreeTrees, AreAllTreesOfASizeEachOnce) {
    for (NodeId nodes = 1; nodes <= 11; ++nodes) {
        std::set<std::string> expected;
        for (const Network& tree : test::all_trees(nodes))
            expected.insert(test::canonical_word(tree));
        std::set<std::string> found;
        for (std::uint64_t number = 1; number <= free_tree_count(nodes); ++number) {
            const Network tree = make_free_tree(nodes, number);
            EXPECT_TRUE(is_tree(tree));
            found.insert(test::canonical_word(tree));
        }
        EXPECT_EQ(found.size(), free_tree_count(nodes)) << nodes << " nodes";
        EXPECT_EQ(found, expected) << nodes << " nodes";
    }
}

TEST(FreeTrees, BeginWithThePathAndEndWithTheStar) {
    for (NodeId nodes = 3; nodes <= 16; ++nodes) {
        EXPECT_EQ(make_free_tree(nodes, 1).degree_max(), 2U) << nodes;
        EXPECT_EQ(make_free_tree(nodes, free_tree_count(nodes)).degree_max(), nodes - 1) << nodes;
    }
}

TEST(FreeTrees, OfTheLargestSizeAreAsManyAsCounted) {
    // The last one is the star only if exactly that many came before it.
    EXPECT_EQ(
        make_free_tree(free_tree_nodes_max, free_tree_count(free_tree_nodes_max)).degree_max(),
        free_tree_nodes_max - 1);
}

TEST(FreeTrees, HaveNumbersFromOneToTheirCount) {
    for (const char* spec : {"free-tree:n=8,number=0", "free-tree:n=8,number=24",
                             "free-tree:n=21,number=1", "free-tree:n=0,number=1"})
        EXPECT_THROW(static_cast<void>(generate(spec, 1)), InputError) << spec;
    EXPECT_EQ(generate("free-tree:n=8,number=23", 1).degree_max(), 7U);
}

}  // namespace
}  // namespace equipoise::network
