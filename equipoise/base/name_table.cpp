#include "equipoise/base/name_table.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "equipoise/base/error.hpp"

namespace equipoise {

namespace {

std::uint32_t hash_of(std::string_view name) {
    return static_cast<std::uint32_t>(std::hash<std::string_view>{}(name));
}

}  // namespace

std::size_t NameTable::slot_of(std::string_view name, std::uint32_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash & mask;
    for (; slots_[slot].number != no_number; slot = (slot + 1) & mask)
        if (slots_[slot].hash == hash && this->name(slots_[slot].number) == name) break;
    return slot;
}

std::uint32_t NameTable::number_of(std::string_view name) {
    constexpr std::size_t fill_numerator = 3;  // at most two thirds of the slots are taken
    if (fill_numerator * ends_.size() > 2 * slots_.size()) grow();
    const std::uint32_t hash = hash_of(name);
    Slot& slot = slots_[slot_of(name, hash)];
    if (slot.number != no_number) return slot.number;
    if (ends_.size() >= no_number) throw OverflowError("number of names");
    slot = {hash, size()};
    characters_ += name;
    ends_.push_back(characters_.size());
    return slot.number;
}

std::optional<std::uint32_t> NameTable::find(std::string_view name) const {
    if (slots_.empty()) return std::nullopt;
    const Slot& slot = slots_[slot_of(name, hash_of(name))];
    if (slot.number == no_number) return std::nullopt;
    return slot.number;
}

void NameTable::grow() {
    constexpr std::size_t slots_least = 64;
    std::vector<Slot> grown(std::max(slots_least, 2 * slots_.size()));
    const std::size_t mask = grown.size() - 1;
    for (const Slot& taken : slots_) {
        if (taken.number == no_number) continue;
        std::size_t slot = taken.hash & mask;
        while (grown[slot].number != no_number)
            slot = (slot + 1) & mask;
        grown[slot] = taken;
    }
    slots_ = std::move(grown);
}

}  // namespace equipoise
