#pragma once
// Edge colourings: which links may be active together.

#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

/// A proper edge colouring: links that share a node have different colours.
struct EdgeColouring {
    Colour colour_count = 0;
    std::vector<Colour> by_link;  ///< colour of every link, 0 .. colour_count - 1

    /// The links of every colour in ascending order, tail < head.
    template <AnyGraph N>
    [[nodiscard]] std::vector<std::vector<Ends>> classes(const N& network) const {
        std::vector<std::vector<Ends>> sets(colour_count);
        for (LinkId link = 0; link < by_link.size(); ++link)
            sets[by_link[link]].push_back(network.ends(link));
        return sets;
    }
};

/// Colours a forest with as many colours as its largest degree, by depth-first search.
/// Throws UnsuitableError when the network has a cycle. Cost O(nodes + links).
[[nodiscard]] EdgeColouring colour_tree(const Network& tree);

/// The natural colouring of a mesh or torus, axis by axis: two colours for each axis (one for a
/// side of 2, three for closed axes of odd side). Cost O(dimension) per link.
[[nodiscard]] EdgeColouring colour_grid(const Grid& grid);

/// Colours any simple graph with at most largest degree + 1 colours (Misra and Gries 1992).
/// Cost O(nodes * links) at worst, near linear in practice.
[[nodiscard]] EdgeColouring colour_misra_gries(const Network& network);

/// The best colouring implemented here: grids naturally, trees and bipartite networks with as many
/// colours as their largest degree, else Misra and Gries.
[[nodiscard]] EdgeColouring colour_edges(const AnyNetwork& network);

/// Whether links that share a node always differ in colour.
[[nodiscard]] bool is_proper(const AnyNetwork& network, const EdgeColouring& colouring);

}  // namespace equipoise::network
