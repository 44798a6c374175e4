#pragma once
// Which rank holds which node.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"

namespace equipoise::engine {

/// Divides the nodes into one part for each rank. Memory: none if the parts are consecutive
/// numbers, otherwise 8 bytes for each node.
class Partition {
  public:
    /// Consecutive numbers; sizes differ by at most one.
    [[nodiscard]] static Partition contiguous(NodeId node_count, int ranks);
    /// `owners`: the rank of each node, in 0 .. ranks-1. Throws InputError for any other.
    [[nodiscard]] static Partition of(std::vector<std::uint32_t> owners, int ranks);
    /// The same parts with their nodes in this order, in which every node occurs once. Parts of
    /// consecutive numbers become parts of nodes that are consecutive in the order.
    [[nodiscard]] Partition in_order(std::span<const NodeId> order) const;

    [[nodiscard]] NodeId node_count() const { return node_count_; }
    [[nodiscard]] int ranks() const { return ranks_; }
    [[nodiscard]] int owner(NodeId node) const {
        if (!owners_.empty()) return static_cast<int>(owners_[node]);
        return static_cast<int>((std::uint64_t{node} * ranks64() + ranks64() - 1) / node_count_);
    }
    [[nodiscard]] bool consecutive() const { return owners_.empty(); }
    /// The first node of a rank's part, if parts are consecutive.
    [[nodiscard]] NodeId first(int rank) const {
        return static_cast<NodeId>(std::uint64_t{node_count_} * static_cast<std::uint64_t>(rank) /
                                   ranks64());
    }
    /// The number of nodes in a rank's part.
    [[nodiscard]] NodeId size_of(int rank) const {
        if (consecutive()) return first(rank + 1) - first(rank);
        return begins_[static_cast<std::size_t>(rank) + 1] -
               begins_[static_cast<std::size_t>(rank)];
    }
    /// The nodes of a rank's part, in ascending order unless another was given. Cost: O(their
    /// number).
    [[nodiscard]] std::vector<NodeId> nodes_of(int rank) const;
    /// All nodes, one part after the other; empty if parts are consecutive.
    [[nodiscard]] std::span<const NodeId> nodes_by_rank() const { return by_rank_; }

  private:
    void list_parts(std::span<const NodeId> order);
    [[nodiscard]] std::uint64_t ranks64() const { return static_cast<std::uint64_t>(ranks_); }

    NodeId node_count_ = 0;
    int ranks_ = 1;
    std::vector<std::uint32_t> owners_;  ///< empty: consecutive
    std::vector<NodeId> by_rank_;
    std::vector<NodeId> begins_;  ///< of a rank's part in `by_rank_`, and the end
};

}  // namespace equipoise::engine
