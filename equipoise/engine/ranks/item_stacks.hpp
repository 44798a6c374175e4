#pragma once
// The items of a rank's nodes: every token has one, and items follow their tokens.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"

namespace equipoise::engine {

/// Stacks of items (here just bytes), one for each node. A token may change owners before its item
/// has arrived; the node that gave the token then owes an item to the other end of the link and
/// pays when items come in. Once nothing is under way, debts remain only in circles, whose nodes
/// have as many items as tokens already; so every node has one item for each token.
class ItemStacks {
  public:
    /// `item_bytes` 0: there are no items.
    ItemStacks(std::size_t item_bytes, std::size_t nodes, std::size_t sides)
        : item_bytes_(item_bytes) {
        if (!any()) return;
        stacks_.resize(nodes);
        owed_by_.resize(nodes);
        owed_.resize(sides);
    }

    [[nodiscard]] bool any() const { return item_bytes_ > 0; }
    void add(NodeId node, std::span<const std::byte> items) {
        stacks_[node].insert(stacks_[node].end(), items.begin(), items.end());
    }
    [[nodiscard]] std::span<const std::byte> of(NodeId node) const { return stacks_[node]; }

    /// Notes that the node must send this many items over a side of one of its links.
    void owe(NodeId node, std::uint32_t side, std::uint64_t items) {
        owed_[side] += items;
        owed_by_[node] += items;
    }
    [[nodiscard]] bool owes(NodeId node) const { return owed_by_[node] > 0; }
    /// Takes owed items from the node's stack, at most about `payment_bytes`; none if nothing is
    /// owed or the stack is empty.
    [[nodiscard]] std::vector<std::byte> pay(NodeId node, std::uint32_t side);

  private:
    static constexpr std::size_t payment_bytes = std::size_t{1} << 20U;

    std::size_t item_bytes_;
    std::vector<std::vector<std::byte>> stacks_;  ///< by node
    std::vector<std::uint64_t> owed_by_;          ///< items, by node
    std::vector<std::uint64_t> owed_;             ///< items, by side
};

}  // namespace equipoise::engine
