#include "equipoise/analysis/construct_subgraph.hpp"

#include <algorithm>
#include <string>

#include "equipoise/analysis/rooted_tree.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::analysis {
namespace {

enum class CaseThree : std::uint8_t { repaired, as_printed };

NodeId smallest_leaf(const network::Network& tree) {
    NodeId leaf = 0;
    while (leaf < tree.node_count() && tree.degree(leaf) > 1)
        ++leaf;
    return leaf;
}

/// Beta: a connected part of the tree in preorder as seen from alpha, so that every subtree within
/// beta is a run of nodes; its first node is the one adjacent to alpha.
class Beta {
  public:
    Beta(const RootedTree& tree, std::vector<NodeId> nodes)
        : tree_(tree), nodes_(std::move(nodes)), size_(tree.order.size()) {}

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] NodeId node(std::size_t place) const { return nodes_[place]; }
    [[nodiscard]] const std::vector<NodeId>& nodes() const { return nodes_; }
    /// Nodes of the subtree, within beta, below the node at a place.
    [[nodiscard]] std::size_t size_below(std::size_t place) const { return size_[nodes_[place]]; }

    /// The place of the first centroid: no component of beta without it has more than half of
    /// beta's nodes (Kang and Ault). Measures all subtrees. Cost O(|beta|).
    [[nodiscard]] std::size_t find_centroid() {
        for (const NodeId node : nodes_)
            size_[node] = 1;
        for (std::size_t place = nodes_.size() - 1; place > 0; --place)
            size_[tree_.parent[nodes_[place]]] += size_[nodes_[place]];
        std::size_t place = 0;
        while (true) {
            std::size_t child = place + 1;
            const std::size_t end = place + size_below(place);
            while (child < end && 2 * size_below(child) <= size())
                child += size_below(child);
            if (child >= end) return place;
            place = child;
        }
    }

    void append_run(std::vector<NodeId>& alpha, std::size_t first, std::size_t count) const {
        const auto from = nodes_.begin() + static_cast<std::ptrdiff_t>(first);
        alpha.insert(alpha.end(), from, from + static_cast<std::ptrdiff_t>(count));
    }
    void erase_run(std::size_t first, std::size_t count) {
        const auto from = nodes_.begin() + static_cast<std::ptrdiff_t>(first);
        nodes_.erase(from, from + static_cast<std::ptrdiff_t>(count));
    }
    void keep_run(std::size_t first, std::size_t count) {
        erase_run(first + count, size() - first - count);
        erase_run(0, first);
    }

  private:
    const RootedTree& tree_;
    std::vector<NodeId> nodes_;
    std::vector<std::size_t> size_;
};

// Problem: a connected subgraph alpha of exactly p nodes of a tree, in few steps.
// Source: Houle, Symvonis, Wood 2004, Section 4.4, CONSTRUCT SUBGRAPH and Lemma 14.
// Guarantee: at most ceil(log2 n) - 1 iterations: |alpha| + |beta| > p throughout, so an iteration
//   begins with |beta| >= 2; |beta| is n - 1 at first and is at least halved.
// Deviations: Case 3 takes in beta_1 .. beta_{i-1} only (as printed also beta_i, after which alpha
//   may exceed p), and the loop stops when alpha is complete; d is the degree of v inside beta.
ConstructedSubgraph construct(const network::Network& tree, NodeId gap, CaseThree case_three,
                              std::vector<ConstructionStage>* stages = nullptr) {
    const NodeId leaf = smallest_leaf(tree);
    const RootedTree rooted = root_tree(tree, leaf);
    if (gap == 0 || gap >= tree.node_count())
        throw InputError("CONSTRUCT SUBGRAPH: expected a gap in 1 .. " +
                         std::to_string(tree.node_count() - 1) + ", found " + std::to_string(gap));
    const std::size_t p = gap;
    ConstructedSubgraph result{.nodes = {leaf}, .iterations = 0};
    auto& alpha = result.nodes;
    Beta beta(rooted, {rooted.order.begin() + 1, rooted.order.end()});

    while (alpha.size() < p) {
        ++result.iterations;
        const std::size_t v = beta.find_centroid();
        // beta_1 is the part on alpha's side of v: the runs before and after v's subtree.
        const std::size_t below_v = beta.size_below(v);
        const std::size_t beta_1 = beta.size() - below_v;
        if (stages != nullptr) {
            const std::size_t with_beta_1 = alpha.size() + beta_1;
            stages->push_back({alpha.size(), beta.nodes(), beta.node(v),
                               with_beta_1 > p ? 1 : (with_beta_1 == p ? 2 : 3)});
        }
        if (alpha.size() + beta_1 > p) {  // Case 1
            beta.erase_run(v, below_v);
        } else {  // Cases 2 and 3
            beta.append_run(alpha, 0, v);
            beta.append_run(alpha, v + below_v, beta.size() - v - below_v);
            if (alpha.size() == p) break;
            alpha.push_back(beta.node(v));
            std::size_t child = v + 1;  // first node of beta_i
            while (alpha.size() + beta.size_below(child) <= p) {
                beta.append_run(alpha, child, beta.size_below(child));
                child += beta.size_below(child);
                EQUIPOISE_ASSERT(child < v + below_v);  // |alpha| + |beta| > p before
            }
            if (case_three == CaseThree::as_printed)
                beta.append_run(alpha, child, beta.size_below(child));
            if (alpha.size() < p) beta.keep_run(child, beta.size_below(child));
        }
        EQUIPOISE_ASSERT(alpha.size() >= p || alpha.size() + beta.size() > p);
    }
    return result;
}

}  // namespace

ConstructedSubgraph construct_subgraph(const network::Network& tree, NodeId gap) {
    return construct(tree, gap, CaseThree::repaired);
}

std::vector<ConstructionStage> construct_subgraph_stages(const network::Network& tree, NodeId gap,
                                                         std::vector<NodeId>& nodes) {
    std::vector<ConstructionStage> stages;
    nodes = construct(tree, gap, CaseThree::repaired, &stages).nodes;
    return stages;
}

ConstructedSubgraph construct_subgraph_as_printed(const network::Network& tree, NodeId gap) {
    return construct(tree, gap, CaseThree::as_printed);
}

GapDecomposition decompose_gap(const network::Network& tree, const std::vector<NodeId>& nodes) {
    const RootedTree rooted = root_tree(tree, 0);
    const NodeId n = tree.node_count();
    std::vector<bool> is_inside(n, false);
    for (const NodeId node : nodes) {
        if (node >= n || is_inside[node])
            throw InputError("gap decomposition: expected distinct nodes below " +
                             std::to_string(n) + ", found " + std::to_string(node));
        is_inside[node] = true;
    }
    std::size_t links_inside = 0;
    for (const Ends link : tree.links()) {
        if (is_inside[link.tail] && is_inside[link.head]) ++links_inside;
    }
    if (nodes.empty() || nodes.size() == n || links_inside + 1 != nodes.size())
        throw InputError("gap decomposition: expected a connected part of the tree, found " +
                         std::to_string(nodes.size()) + " nodes with " +
                         std::to_string(links_inside) + " links between them");

    GapDecomposition result;
    for (const NodeId v : nodes) {
        const auto neighbours = tree.neighbours(v);
        if (std::all_of(neighbours.begin(), neighbours.end(),
                        [&](NodeId w) { return is_inside[w]; }))
            continue;
        result.inside.push_back(1);
        for (const NodeId w : neighbours) {
            // |T(w, v)|: nodes on w's side of the link.
            const std::uint64_t gamma = rooted.parent[w] == v ? rooted.size[w] : n - rooted.size[v];
            if (is_inside[w]) {
                result.inside.push_back(gamma);
            } else {
                result.outside.push_back(n - gamma);
                result.cut.push_back({v, w, gamma});
            }
        }
    }
    return result;
}

}  // namespace equipoise::analysis
