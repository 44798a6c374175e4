#pragma once
// Items that do not reach their given ends, and what stands in the way of each.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

struct BlockedItem {
    ItemId item = 0;
    MachineId place = no_machine;  ///< where it is after the moves
    std::string reason;            ///< why it cannot go on from there by itself, in words
};

/// The items that are not at `Problem::given_ends` after the moves, which must be allowed; reasons
/// are given for the first `most` of them: "machine b has 0 B of size free". Cost O(items + moves),
/// and O(items on a machine) for each reason, or that of `replay` where the item could go.
[[nodiscard]] std::vector<BlockedItem> blocked_items(const Problem& problem,
                                                     std::span<const Move> moves, std::size_t most);

}  // namespace equipoise::reassign
