#include "equipoise/network/generators/free_trees.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

// Problem: all trees of a size, without two that are the same except for the names of their nodes.
// Source: Wright, Richmond, Odlyzko, McKay 1986, Constant time generation of free trees; steps
//   between rooted trees by Beyer and Hedetniemi 1980.
// A tree is written as the levels of its nodes in preorder from a root near its centre. Among the
// level sequences of one tree exactly one is canonical: the root's first subtree is no higher than
// the rest and, if as high, no larger and, if as large, not lexicographically after it.

namespace equipoise::network {

namespace {

constexpr std::array<std::uint64_t, free_tree_nodes_max + 1> counts = {
    0,   1,   1,    1,    2,    3,     6,     11,     23,     47,    106,
    235, 551, 1301, 3159, 7741, 19320, 48629, 123867, 317955, 823065};

using Levels = std::vector<NodeId>;

/// The next level sequence of a rooted tree that differs from this one at place `p` or before.
/// Returns false if there is none.
bool advance_rooted(Levels& levels, std::size_t p) {
    if (p == 0) return false;
    std::size_t q = p - 1;
    while (levels[q] + 1 != levels[p])
        --q;
    for (std::size_t place = p; place < levels.size(); ++place)
        levels[place] = levels[place - p + q];
    return true;
}

/// The place of the last node below level 1; 0 in a star.
std::size_t last_deep(const Levels& levels) {
    std::size_t p = levels.size() - 1;
    while (levels[p] == 1)
        --p;
    return p;
}

/// The first place after the root's first subtree.
std::size_t first_subtree_end(const Levels& levels) {
    const auto second = std::find(levels.begin() + 2, levels.end(), NodeId{1});
    return static_cast<std::size_t>(second - levels.begin());
}

NodeId height_of(Levels::const_iterator first, Levels::const_iterator last) {
    return first == last ? 0 : *std::max_element(first, last);
}

bool is_canonical(const Levels& levels) {
    const auto end = levels.begin() + static_cast<std::ptrdiff_t>(first_subtree_end(levels));
    const NodeId first_height = height_of(levels.begin() + 1, end) - 1;
    const NodeId rest_height = height_of(end, levels.end());
    if (first_height != rest_height) return first_height < rest_height;
    const auto first_size = end - (levels.begin() + 1);
    const auto rest_size = levels.end() - end + 1;
    if (first_size != rest_size) return first_size < rest_size;
    // The first subtree lies one level deeper; the rest begins with the root.
    const auto [first, rest] =
        std::mismatch(levels.begin() + 2, end, end,
                      [](NodeId below, NodeId beside) { return below == beside + 1; });
    return first == end || *first < *rest + 1;
}

/// Advances to the first canonical sequence at or after this one.
void settle(Levels& levels) {
    if (is_canonical(levels)) return;
    const std::size_t p = first_subtree_end(levels) - 1;
    const bool deep = levels[p] > 2;
    const bool found = advance_rooted(levels, p);
    EQUIPOISE_ASSERT(found);
    if (!deep) return;
    const auto end = levels.begin() + static_cast<std::ptrdiff_t>(first_subtree_end(levels));
    const NodeId height = height_of(levels.begin() + 1, end);
    std::iota(levels.end() - static_cast<std::ptrdiff_t>(height), levels.end(), NodeId{1});
}

Network tree_of(const Levels& levels) {
    std::vector<Ends> links;
    std::vector<NodeId> last_at(levels.size());
    for (NodeId node = 0; node < levels.size(); ++node) {
        last_at[levels[node]] = node;
        if (node > 0) links.push_back({last_at[levels[node] - 1], node});
    }
    return {static_cast<NodeId>(levels.size()), std::move(links)};
}

}  // namespace

std::uint64_t free_tree_count(NodeId nodes) {
    if (nodes < 1 || nodes > free_tree_nodes_max)
        throw InputError("trees of a size: expected 1 to " + std::to_string(free_tree_nodes_max) +
                         " nodes, found " + std::to_string(nodes));
    return counts.at(nodes);
}

Network make_free_tree(NodeId nodes, std::uint64_t number) {
    const std::uint64_t count = free_tree_count(nodes);
    if (number < 1 || number > count)
        throw InputError("trees on " + std::to_string(nodes) +
                         " nodes: expected a number from 1 to " + std::to_string(count) +
                         ", found " + std::to_string(number));
    if (nodes == 1) return {1, {}};
    // The path, rooted in its middle.
    Levels levels(nodes);
    std::iota(levels.begin(), levels.begin() + static_cast<std::ptrdiff_t>(nodes / 2 + 1),
              NodeId{0});
    std::iota(levels.begin() + static_cast<std::ptrdiff_t>(nodes / 2 + 1), levels.end(), NodeId{1});
    settle(levels);
    for (std::uint64_t k = 1; k < number; ++k) {
        const bool found = advance_rooted(levels, last_deep(levels));
        EQUIPOISE_ASSERT(found);
        settle(levels);
    }
    return tree_of(levels);
}

}  // namespace equipoise::network
