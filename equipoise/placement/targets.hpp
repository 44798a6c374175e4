#pragma once
// How many items every rank should hold at the end. Plain arithmetic; every rank computes the same.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::placement {

/// What the ranks hold, and their speeds.
struct Demand {
    std::span<const Tokens> counts;  ///< items by rank
    std::span<const Tokens> pinned;  ///< how many of these never move; empty: none
    std::span<const double> speeds;  ///< by rank, finite and not negative; empty: all alike
    /// By rank: how many items it has room for, at least those that are pinned. Empty: any number.
    std::span<const Tokens> most = {};
};

/// The items of all ranks. Throws OverflowError beyond `tokens_max`.
[[nodiscard]] Tokens total(std::span<const Tokens> counts);

/// Throws InputError that says how many items are too many unless ranks with a speed above 0, and
/// what is pinned on others, have room for all.
void expect_room(Tokens items, Tokens room);

/// The shares of all ranks, in which only the last items are undecided.
struct LevelShares {
    std::vector<Tokens> least;      ///< by rank: what it gets at least
    std::vector<std::size_t> open;  ///< ranks of which some get one more, in rising order
    Tokens odd = 0;                 ///< how many of them; 0, or fewer than there are
};

/// Shares in proportion to speeds, by largest remainder (load::shares_by_speed): without speeds the
/// floor of the mean, and one more for some of the ranks. A rank with more pinned items than its
/// share keeps exactly these, and the remaining items are divided among the other ranks in the same
/// way (capped water-filling); a rank with less room than its share gets as many as it has room
/// for. Cost O(P log P). Throws InputError if all ranks have speed 0, or if there are more items
/// than there is room for, and OverflowError beyond `tokens_max` items.
[[nodiscard]] LevelShares level_shares(const Demand& demand);

/// Targets of all ranks: their shares, and one item more for some of the open ranks: first those
/// where it saves a move, then others, each time the fullest first (on a tie the lower rank). No
/// other choice moves fewer items. Costs and throws as `level_shares`.
[[nodiscard]] std::vector<Tokens> level_targets(const Demand& demand);

/// The same, except that the lowest open ranks get one more, whatever they hold.
[[nodiscard]] std::vector<Tokens> lowest_targets(const Demand& demand);

/// Speeds as whole numbers for exact arithmetic: as they are if all are whole and below 2^53, else
/// in units of 2^-52 of the largest, rounded to the nearest.
[[nodiscard]] std::vector<std::uint64_t> whole_speeds(std::span<const double> speeds);

/// The sum over ranks of what they hold above their targets: the fewest items that any plan can
/// move.
[[nodiscard]] Tokens surplus(std::span<const Tokens> counts, std::span<const Tokens> targets);

/// Real-valued targets for weighted items: the total weight in proportion to speeds (empty: all
/// equal), except that a rank whose pinned weight exceeds its share keeps that much.
[[nodiscard]] std::vector<double> weight_targets(std::span<const double> weights,
                                                 std::span<const double> pinned,
                                                 std::span<const double> speeds);

}  // namespace equipoise::placement
