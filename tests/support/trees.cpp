#include "tests/support/trees.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::test {
namespace {

using network::Network;

/// The bracket word of the tree below `top`, with the children's words in ascending order.
std::string word_below(const Network& tree, NodeId top, NodeId above) {
    std::vector<std::string> words;
    for (const NodeId child : tree.neighbours(top)) {
        if (child != above) words.push_back(word_below(tree, child, top));
    }
    std::sort(words.begin(), words.end());
    std::string word = "(";
    for (const auto& part : words)
        word += part;
    return word + ")";
}

NodeId nodes_below(const Network& tree, NodeId top, NodeId above) {
    NodeId count = 1;
    for (const NodeId child : tree.neighbours(top)) {
        if (child != above) count += nodes_below(tree, child, top);
    }
    return count;
}

}  // namespace

std::string canonical_word(const Network& tree) {
    std::string least;
    for (NodeId root = 0; root < tree.node_count(); ++root) {
        const bool centroid = std::all_of(
            tree.neighbours(root).begin(), tree.neighbours(root).end(),
            [&](NodeId other) { return 2 * nodes_below(tree, other, root) <= tree.node_count(); });
        if (!centroid) continue;
        auto word = word_below(tree, root, no_node);
        if (least.empty() || word < least) least = std::move(word);
    }
    return least;
}

Network tree_of_parents(const std::vector<NodeId>& parents) {
    std::vector<Ends> links;
    for (NodeId child = 1; child <= parents.size(); ++child)
        links.push_back({parents[child - 1], child});
    return {static_cast<NodeId>(parents.size() + 1), std::move(links)};
}

std::vector<Network> all_trees(NodeId nodes) {
    EQUIPOISE_ASSERT(nodes >= 1);
    std::vector<Network> trees;
    trees.emplace_back(1, std::vector<Ends>{});
    for (NodeId n = 2; n <= nodes; ++n) {
        std::vector<Network> grown;
        std::set<std::string> seen;
        for (const auto& tree : trees) {
            for (NodeId node = 0; node < tree.node_count(); ++node) {
                std::vector<Ends> links(tree.links().begin(), tree.links().end());
                links.push_back({node, n - 1});
                Network larger(n, std::move(links));
                if (seen.insert(canonical_word(larger)).second) grown.push_back(std::move(larger));
            }
        }
        trees = std::move(grown);
    }
    return trees;
}

Network random_tree(NodeId nodes, RandomStream& random, NodeId reach) {
    std::vector<NodeId> parents;
    for (NodeId child = 1; child < nodes; ++child)
        parents.push_back(child - 1 - static_cast<NodeId>(random.below(std::min(child, reach))));
    return tree_of_parents(parents);
}

network::EdgeColouring random_tree_colouring(const Network& tree, Colour colour_count,
                                             RandomStream& random) {
    EQUIPOISE_ASSERT(colour_count >= tree.degree_max());
    network::EdgeColouring colouring{colour_count,
                                     std::vector<Colour>(tree.link_count(), no_colour)};
    std::vector<Colour> palette(colour_count);
    std::vector<std::pair<NodeId, Colour>> waiting{{0, no_colour}};  // node, colour of its uplink
    while (!waiting.empty()) {
        const auto [node, uplink] = waiting.back();
        waiting.pop_back();
        std::iota(palette.begin(), palette.end(), Colour{0});
        for (std::size_t i = palette.size(); i > 1; --i)
            std::swap(palette[i - 1], palette[random.below(i)]);
        if (uplink != no_colour) std::erase(palette, uplink);
        for (Port port = 0; port < tree.degree(node); ++port) {
            auto& colour = colouring.by_link[tree.link(node, port)];
            if (colour != no_colour) continue;
            colour = palette.back();
            palette.pop_back();
            waiting.emplace_back(tree.neighbour(node, port), colour);
        }
        palette.resize(colour_count);
    }
    return colouring;
}

}  // namespace equipoise::test
