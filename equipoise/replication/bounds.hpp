#pragma once
// What no allowed placement of copies can undercut.

#include <cstdint>
#include <optional>
#include <vector>

#include "equipoise/replication/problem.hpp"

namespace equipoise::replication {

/// The largest machine of any allowed placement.
[[nodiscard]] Bound largest_at_least(const Problem& problem);

/// The items copied by any allowed placement whose largest machine is at most `level`.
[[nodiscard]] Bound copied_at_least(const Problem& problem, Tokens level);

/// The best of all allowed placements, by search of all: the least `largest`, and the fewest copied
/// with a largest of at most `level` (nothing, or too low a level: at most that least one). Nothing
/// if that takes more than `effort` steps. For tiny problems. Throws UnsuitableError if no
/// placement is allowed.
struct BestPlacement {
    Tokens largest = 0;
    std::uint64_t copied = 0;
    std::vector<ItemId> placement;  ///< one with the fewest copied
};
[[nodiscard]] std::optional<BestPlacement> best_placement(const Problem& problem,
                                                          std::optional<Tokens> level,
                                                          std::uint64_t effort);

}  // namespace equipoise::replication
