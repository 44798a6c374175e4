#pragma once
// Connected subtrees of a given size, and their bounds on the stability of a gap.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::analysis {

/// The result of CONSTRUCT SUBGRAPH.
struct ConstructedSubgraph {
    std::vector<NodeId> nodes;     ///< alpha, in the order in which nodes were taken in
    std::uint32_t iterations = 0;  ///< of the while-loop
};

/// A connected subtree of p = `gap` nodes, 1 <= p <= n - 1, that holds the lowest-numbered leaf.
///
/// Houle, Symvonis, Wood 2004, Section 4.4, algorithm CONSTRUCT SUBGRAPH with Case 3 repaired. At
/// most ceil(log2 n) - 1 iterations for n >= 2. Throws UnsuitableError when the network is not a
/// tree, InputError when `gap` is out of range. Cost O(n).
[[nodiscard]] ConstructedSubgraph construct_subgraph(const network::Network& tree, NodeId gap);

/// One iteration of the while-loop of CONSTRUCT SUBGRAPH.
struct ConstructionStage {
    std::size_t taken = 0;     ///< size of alpha before it: the first nodes of the final one
    std::vector<NodeId> beta;  ///< before it; the first node is the one adjacent to alpha
    NodeId centroid = 0;       ///< v, of beta
    int rule = 0;              ///< 1, 2 or 3: which case applied
};

/// The iterations of `construct_subgraph`, whose nodes are written to `nodes`. Throws as it does.
/// Cost O(n iterations).
[[nodiscard]] std::vector<ConstructionStage> construct_subgraph_stages(const network::Network& tree,
                                                                       NodeId gap,
                                                                       std::vector<NodeId>& nodes);

/// CONSTRUCT SUBGRAPH as printed, whose Case 3 also takes in beta_i: alpha can end with more than
/// p = `gap` nodes (on the path of three nodes with p = 2 it has three). Kept to show the error.
[[nodiscard]] ConstructedSubgraph construct_subgraph_as_printed(const network::Network& tree,
                                                                NodeId gap);

/// A link out of a connected set of nodes.
struct CutLink {
    NodeId inside = 0;
    NodeId outside = 0;
    std::uint64_t beyond = 0;  ///< gamma: nodes on the outer side of the link
};

/// A gap p written as two sums modulo n of stable gaps (members of SG_1).
struct GapDecomposition {
    /// For each cut link (v inside, w outside) the term n - |T(w, v)|; p is their sum modulo n.
    std::vector<std::uint64_t> outside;
    std::vector<CutLink> cut;  ///< these links, in the same order
    /// For each inside node v with a cut link the term 1, and a term |T(w, v)| for each neighbour w
    /// inside; p is their sum modulo n.
    std::vector<std::uint64_t> inside;

    /// The sum with fewer terms: their number bounds the gap's stability.
    [[nodiscard]] const std::vector<std::uint64_t>& shorter() const {
        return inside.size() < outside.size() ? inside : outside;
    }
};

/// The size p of a connected set of nodes as sums of stable gaps (proof of Lemma 15). With the
/// subgraph of `construct_subgraph`, n >= 3 nodes, largest degree D and L = ceil(log2 n) - 1, the
/// shorter sum has at most min{1 + (D-2) L, floor((D+1) L / 2)} terms.
/// Throws UnsuitableError when the network is not a tree, InputError when the nodes are
/// repeated, disconnected, empty or the whole network. Cost O(n).
[[nodiscard]] GapDecomposition decompose_gap(const network::Network& tree,
                                             const std::vector<NodeId>& nodes);

}  // namespace equipoise::analysis
