#pragma once
// Items that no wave can take away from where they must not be.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// In words, at most `most` of them: items that must leave their places and are larger than what
/// their machines give in a wave. "b has 9 GB, and machine x gives at most 4 GB in a wave". Cost
/// O(items).
[[nodiscard]] std::vector<std::string> held_back(const Problem& problem,
                                                 std::span<const MachineId> places,
                                                 std::size_t most);

}  // namespace equipoise::reassign
