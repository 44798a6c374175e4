#pragma once
// Loads in as few bytes as they need, in the memory of the loads that they replace.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::engine {

/// The number of bytes that a load takes.
enum class Width : std::uint8_t { two = 2, four = 4, eight = 8 };

/// The largest loads of two and of four bytes; differences of four-byte loads fit 32 bits.
inline constexpr Tokens two_bytes_most = 0xffff;
inline constexpr Tokens four_bytes_most = 0x7fffffff;

/// The least width for loads in this range, none of which is below 0.
[[nodiscard]] constexpr Width width_for(Tokens least, Tokens most) {
    if (least < 0 || most > four_bytes_most) return Width::eight;
    return most > two_bytes_most ? Width::four : Width::two;
}

/// A borrowed list of loads of any width, by local number.
struct PackedLoads {
    std::byte* bytes = nullptr;
    std::size_t count = 0;
    Width width = Width::eight;

    [[nodiscard]] std::size_t load_bytes() const { return static_cast<std::size_t>(width); }
    [[nodiscard]] std::span<std::byte> all() const { return {bytes, count * load_bytes()}; }

    /// Calls `look(loads)` with a pointer to words that hold them.
    template <class Look>
    [[nodiscard]] decltype(auto) visit(const Look& look) const {
        if (width == Width::two) return look(reinterpret_cast<std::uint16_t*>(bytes));
        if (width == Width::four) return look(reinterpret_cast<std::uint32_t*>(bytes));
        return look(reinterpret_cast<Tokens*>(bytes));
    }
    [[nodiscard]] Tokens operator[](std::size_t node) const {
        return visit([node](const auto* loads) { return static_cast<Tokens>(loads[node]); });
    }
    void set(std::size_t node, Tokens load) const {
        visit([&]<class Word>(Word* loads) { loads[node] = static_cast<Word>(load); });
    }
};

/// The loads of a vector, which are `width` bytes each.
[[nodiscard]] inline PackedLoads packed(load::Loads& loads, Width width) {
    return {reinterpret_cast<std::byte*>(loads.data()), loads.size(), width};
}

/// Changes the width of the loads within the vector's memory, and returns to the system what is no
/// longer needed. Every load must fit the new width. While loads take less than eight bytes, the
/// vector may only be used through `packed`. Cost O(loads).
void repack(load::Loads& loads, Width from, Width to);

}  // namespace equipoise::engine
