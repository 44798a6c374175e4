#include "equipoise/network/structure/given_structures.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::network {

namespace {

constexpr std::array<std::pair<SpanningTree, std::string_view>, 4> tree_words = {
    {{SpanningTree::breadth_first, "breadth-first"},
     {SpanningTree::minimum_diameter, "minimum-diameter"},
     {SpanningTree::low_degree, "low-degree"},
     {SpanningTree::given, "given"}}};

std::string shown(const Ends& pair) {
    return std::to_string(pair.tail) + ' ' + std::to_string(pair.head);
}

/// The link between two nodes of any numbers.
LinkId link_of(const Ends& pair, const AnyNetwork& network) {
    const NodeId nodes = network.node_count();
    if (pair.tail < nodes && pair.head < nodes)
        if (const auto port = port_to(network, pair.tail, pair.head))
            return network.link(pair.tail, *port);
    throw InputError("expected two nodes that share a link, found " + shown(pair));
}

void expect_spanning_tree(const std::vector<Ends>& links, const AnyNetwork& network) {
    std::vector<NodeId> part(network.node_count());
    std::iota(part.begin(), part.end(), NodeId{0});
    const auto part_of = [&](NodeId node) {
        while (part[node] != node)
            node = part[node] = part[part[node]];
        return node;
    };
    for (const Ends& pair : links) {
        static_cast<void>(link_of(pair, network));
        const NodeId one = part_of(pair.tail);
        const NodeId other = part_of(pair.head);
        if (one == other)
            throw InputError("expected a link of the tree that closes no cycle, found " +
                             shown(pair));
        part[one] = other;
    }
    if (links.size() + 1 != network.node_count())
        throw InputError("expected the " + std::to_string(network.node_count() - 1) +
                         " links of a spanning tree, found " + std::to_string(links.size()));
}

}  // namespace

std::string to_string(SpanningTree tree) {
    for (const auto& [kind, word] : tree_words)
        if (kind == tree) return std::string(word);
    return "";
}

SpanningTree spanning_tree_from_word(std::string_view word) {
    for (const auto& [kind, name] : tree_words)
        if (name == word) return kind;
    std::vector<std::string> words;
    for (const auto& entry : tree_words)
        words.emplace_back(entry.second);
    throw InputError("spanning tree: " + expected_word(word, words));
}

void expect_matchings(const MatchingSequence& matchings, const AnyNetwork& network) {
    std::vector<std::size_t> used_in(network.node_count(), 0);
    for (std::size_t at = 0; at < matchings.size(); ++at)
        for (const Ends& pair : matchings[at]) {
            static_cast<void>(link_of(pair, network));
            for (const NodeId node : {pair.tail, pair.head}) {
                if (used_in[node] == at + 1)
                    throw InputError("expected every node at most once in a matching, found " +
                                     network.name(node) + " twice");
                used_in[node] = at + 1;
            }
        }
}

void expect_structures(const GivenStructures& given, const AnyNetwork& network) {
    if (given.tree == SpanningTree::given)
        expect_spanning_tree(given.tree_links, network);
    else if (!given.tree_links.empty())
        throw InputError("expected links of a tree only with tree=given, found " +
                         to_string(given.tree));
    if (given.colouring.empty()) return;
    expect_matchings(given.colouring, network);
    std::vector<bool> coloured(network.link_count(), false);
    for (const std::vector<Ends>& links : given.colouring)
        for (const Ends& pair : links) {
            const LinkId link = link_of(pair, network);
            if (coloured[link])
                throw InputError("expected one colour for every link, found two for " +
                                 shown(pair));
            coloured[link] = true;
        }
    if (std::find(coloured.begin(), coloured.end(), false) != coloured.end())
        throw InputError("expected a colour for every link, found none for some");
}

}  // namespace equipoise::network
