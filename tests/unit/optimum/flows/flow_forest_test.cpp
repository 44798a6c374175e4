// Trees whose links carry tokens, against walks from child to parent.

#include "equipoise/optimum/flows/flow_forest.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"

namespace equipoise::optimum {
namespace {

constexpr NodeId nobody = ~NodeId{0};

struct PlainForest {
    std::vector<NodeId> parent;
    std::vector<Tokens> tokens;

    [[nodiscard]] std::vector<NodeId> way(NodeId node) const {
        std::vector<NodeId> nodes;
        for (; parent[node] != nobody; node = parent[node])
            nodes.push_back(node);
        return nodes;
    }
    [[nodiscard]] NodeId root(NodeId node) const {
        while (parent[node] != nobody)
            node = parent[node];
        return node;
    }
    [[nodiscard]] Tokens least(NodeId node) const {
        Tokens least = tokens_max;
        for (const NodeId at : way(node))
            least = std::min(least, tokens[at]);
        return least;
    }
};

TEST(FlowForest, DoesWhatWalksDo) {
    constexpr NodeId nodes = 60;
    RandomStream random(51, Purpose::sampling);
    FlowForest forest(nodes);
    PlainForest plain{std::vector<NodeId>(nodes, nobody), std::vector<Tokens>(nodes, 0)};
    int taken = 0;
    for (int i = 0; i < 100'000; ++i) {
        const auto node = static_cast<NodeId>(random.below(nodes));
        const auto other = static_cast<NodeId>(random.below(nodes));
        const NodeId root = plain.root(node);
        ASSERT_EQ(forest.root(node), root);
        ASSERT_EQ(forest.least(node), plain.least(node));
        switch (random.below(4)) {
            case 0:
            case 1:
                if (plain.root(other) == root) break;
                plain.parent[root] = other;
                plain.tokens[root] = static_cast<Tokens>(random.below(100));
                forest.link(root, other, plain.tokens[root]);
                break;
            case 2: {
                const Tokens least = plain.least(node);
                if (least == tokens_max) break;
                ++taken;
                for (const NodeId at : plain.way(node))
                    plain.tokens[at] -= least;
                forest.take(node, least);
                const std::vector<NodeId> way = plain.way(node);
                const auto empty = std::find_if(way.rbegin(), way.rend(),
                                                [&](NodeId at) { return plain.tokens[at] == 0; });
                ASSERT_EQ(forest.first_empty(node), *empty);
                break;
            }
            default:
                if (node == root || random.below(3) > 0) break;
                ASSERT_EQ(forest.cut(node), plain.tokens[node]);
                plain.parent[node] = nobody;
        }
    }
    EXPECT_GT(taken, 10'000);
}

}  // namespace
}  // namespace equipoise::optimum
