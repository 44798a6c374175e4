#pragma once
// Where a simulation keeps its nodes in memory.

#include <cstdint>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/large_pages.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// Nodes have two numbers: the name by which all other code knows them, and the place at which
/// their memory lies. Neighbours that lie near each other share cache lines and pages, so that the
/// data at both ends of a message's link is read together.
class NodeOrder {
  public:
    /// Names are places.
    NodeOrder() = default;
    /// Depth-first, from the node of the lowest name that has no place yet: a node lies behind the
    /// node through which it was reached. Cost: a few random reads a node and link. Memory: 8 bytes
    /// a node.
    [[nodiscard]] static NodeOrder depth_first(const network::Network& network);

    [[nodiscard]] NodeId place(NodeId name) const { return places_.empty() ? name : places_[name]; }
    [[nodiscard]] NodeId name(NodeId place) const { return names_.empty() ? place : names_[place]; }
    [[nodiscard]] bool is_trivial() const { return places_.empty(); }

  private:
    using Numbers = std::vector<NodeId, LargePages<NodeId>>;
    Numbers places_;  ///< by name
    Numbers names_;   ///< by place
};

}  // namespace equipoise::engine
