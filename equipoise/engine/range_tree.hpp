#pragma once
// The range of loads of which few change at a time.

#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/kernels/load_range.hpp"

namespace equipoise::engine {

/// Keeps the ranges of groups of nodes, of groups of groups, and so on. Memory: about a byte for
/// each node.
class RangeTree {
  public:
    explicit RangeTree(std::span<const Tokens> loads);

    /// Says that the load of a node may have changed.
    void change(NodeId node) { changed_.push_back(node); }
    /// The range of all loads, 0 and 0 if there are none; `loads` as many as at first. Each change
    /// since the last call costs O(1) mostly, O(log nodes) at most; all together at most O(nodes).
    [[nodiscard]] LoadRange range(std::span<const Tokens> loads);

  private:
    void look_at_all(std::span<const Tokens> loads);
    void look_around(std::span<const Tokens> loads, NodeId node);

    std::vector<std::vector<LoadRange>> levels_;  ///< the first: of groups of nodes
    std::vector<NodeId> changed_;
};

}  // namespace equipoise::engine
