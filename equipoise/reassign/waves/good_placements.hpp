#pragma once
// All placements of small problems that are as good as one.

#include <cstdint>
#include <optional>
#include <vector>

#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// All placements with at most this score that a schedule might lead to (`may_end`); nothing if
/// more than `placements_most` would have to be looked at. Cost: `stand` for each of these.
[[nodiscard]] std::optional<std::vector<std::vector<MachineId>>> placements_as_good(
    const Problem& problem, const Score& score, std::uint64_t placements_most);

}  // namespace equipoise::reassign
