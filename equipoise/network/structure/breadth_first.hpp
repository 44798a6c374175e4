#pragma once
// The one breadth-first search on which distances, trees and eccentricities rest.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/network/structure/distances.hpp"

namespace equipoise::network {

/// Searches that reuse their memory: 8 bytes per node. A search costs O(what it reaches).
class BreadthFirst {
  public:
    /// Visits everything that `source` reaches.
    template <AnyGraph N>
    void run(const N& network, NodeId source) {
        run(network, std::span(&source, 1));
    }
    /// Visits everything that some of these different nodes reach; distances are from the nearest.
    template <AnyGraph N>
    void run(const N& network, std::span<const NodeId> sources) {
        if (distances_.size() != network.node_count()) {
            distances_.assign(network.node_count(), unreachable);
            order_.reserve(network.node_count());
        } else {
            for (const NodeId node : order_)
                distances_[node] = unreachable;
        }
        order_.clear();
        for (const NodeId source : sources) {
            distances_[source] = 0;
            order_.push_back(source);
        }
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const NodeId node = order_[i];
            const std::uint32_t next = distances_[node] + 1;
            const Port degree = network.degree(node);
            for (Port port = 0; port < degree; ++port) {
                const NodeId other = network.neighbour(node, port);
                if (distances_[other] != unreachable) continue;
                distances_[other] = next;
                order_.push_back(other);
            }
        }
    }

    /// Links from the last sources, `unreachable` where they do not lead.
    [[nodiscard]] const std::vector<std::uint32_t>& distances() const { return distances_; }
    [[nodiscard]] std::vector<std::uint32_t>& distances() { return distances_; }
    /// Nodes in the order in which they were reached.
    [[nodiscard]] const std::vector<NodeId>& order() const { return order_; }
    [[nodiscard]] NodeId farthest() const { return order_.back(); }
    /// The largest distance within the source's component.
    [[nodiscard]] std::uint32_t eccentricity() const { return distances_[farthest()]; }

  private:
    std::vector<std::uint32_t> distances_;
    std::vector<NodeId> order_;
};

/// The neighbour through which a node other than the source may have been reached: its first
/// neighbour that is one link nearer.
template <AnyGraph N>
[[nodiscard]] NodeId nearer_neighbour(const N& network, const std::vector<std::uint32_t>& distances,
                                      NodeId node) {
    for (Port port = 0; port < network.degree(node); ++port) {
        const NodeId other = network.neighbour(node, port);
        if (distances[other] + 1 == distances[node]) return other;
    }
    return no_node;
}

}  // namespace equipoise::network
