#include "equipoise/engine/ranks/item_stacks.hpp"

#include <algorithm>

namespace equipoise::engine {

std::vector<std::byte> ItemStacks::pay(NodeId node, std::uint32_t side) {
    std::vector<std::byte>& stack = stacks_[node];
    const std::uint64_t items = std::min({owed_[side], std::uint64_t{stack.size() / item_bytes_},
                                          std::max<std::uint64_t>(1, payment_bytes / item_bytes_)});
    owed_[side] -= items;
    owed_by_[node] -= items;
    const auto first = stack.end() - static_cast<std::ptrdiff_t>(items * item_bytes_);
    std::vector<std::byte> payment(first, stack.end());
    stack.erase(first, stack.end());
    return payment;
}

}  // namespace equipoise::engine
