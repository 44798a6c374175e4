#include "equipoise/network/io/name_table.hpp"

#include <algorithm>
#include <functional>

#include "equipoise/base/error.hpp"

namespace equipoise::network {

NodeId NameTable::number_of(std::string_view name) {
    constexpr std::size_t fill_numerator = 3;  // at most two thirds of the slots are taken
    if (fill_numerator * ends_.size() > 2 * slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = std::hash<std::string_view>{}(name)&mask;
    for (; slots_[slot] != no_node; slot = (slot + 1) & mask)
        if (this->name(slots_[slot]) == name) return slots_[slot];
    if (ends_.size() >= no_node) throw OverflowError("number of nodes");
    const NodeId number = size();
    characters_ += name;
    ends_.push_back(characters_.size());
    slots_[slot] = number;
    return number;
}

void NameTable::grow() {
    constexpr std::size_t slots_least = 64;
    slots_.assign(std::max(slots_least, 2 * slots_.size()), no_node);
    const std::size_t mask = slots_.size() - 1;
    for (NodeId number = 0; number < size(); ++number) {
        std::size_t slot = std::hash<std::string_view>{}(name(number)) & mask;
        while (slots_[slot] != no_node)
            slot = (slot + 1) & mask;
        slots_[slot] = number;
    }
}

}  // namespace equipoise::network
