#pragma once
// The parts of a plan: numbers of items from one rank to another.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::placement {

/// Items that one rank sends to another.
struct Transfer {
    int from = 0;
    int to = 0;
    Tokens items = 0;  ///< at least 1
    friend bool operator==(const Transfer&, const Transfer&) = default;
};

/// The number of items that all transfers move together.
[[nodiscard]] inline Tokens items_moved(std::span<const Transfer> transfers) {
    Tokens moved = 0;
    for (const Transfer& transfer : transfers)
        moved += transfer.items;
    return moved;
}

/// The number of items that transfers move from one group to another; `group` gives every rank's
/// group.
[[nodiscard]] inline Tokens items_between(std::span<const Transfer> transfers,
                                          std::span<const int> group) {
    Tokens moved = 0;
    for (const Transfer& transfer : transfers) {
        if (group[static_cast<std::size_t>(transfer.from)] !=
            group[static_cast<std::size_t>(transfer.to)])
            moved += transfer.items;
    }
    return moved;
}

}  // namespace equipoise::placement
