#include "equipoise/network/io/name_table.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "equipoise/base/error.hpp"

namespace equipoise::network {

NodeId NameTable::number_of(std::string_view name) {
    constexpr std::size_t fill_numerator = 3;  // at most two thirds of the slots are taken
    if (fill_numerator * ends_.size() > 2 * slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>{}(name));
    std::size_t slot = hash & mask;
    for (; slots_[slot].number != no_node; slot = (slot + 1) & mask)
        if (slots_[slot].hash == hash && this->name(slots_[slot].number) == name)
            return slots_[slot].number;
    if (ends_.size() >= no_node) throw OverflowError("number of nodes");
    const NodeId number = size();
    characters_ += name;
    ends_.push_back(characters_.size());
    slots_[slot] = {hash, number};
    return number;
}

void NameTable::grow() {
    constexpr std::size_t slots_least = 64;
    std::vector<Slot> grown(std::max(slots_least, 2 * slots_.size()));
    const std::size_t mask = grown.size() - 1;
    for (const Slot& taken : slots_) {
        if (taken.number == no_node) continue;
        std::size_t slot = taken.hash & mask;
        while (grown[slot].number != no_node)
            slot = (slot + 1) & mask;
        grown[slot] = taken;
    }
    slots_ = std::move(grown);
}

}  // namespace equipoise::network
