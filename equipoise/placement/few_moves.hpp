#pragma once
// Levels weighted items with few moves, given the items of all ranks.
//
// Problem: ranks hold items of real weights, some of them pinned. A rank's share is proportional to
//   its speed or, if that is larger, its pinned weight; at speed 0 it keeps only pinned items. The
//   level is the largest load over share of a rank that holds more than its pinned weight. With the
//   largest load (per speed; with several weights per item, each divided by its average) no larger
//   than before, find a level of at most 1 + tolerance, or as low as possible; then move the fewest
//   bytes (or items between machines, if these come first), then the fewest items. No rank gets
//   more items or bytes than it has room for, and one that holds more gives; only then, the largest
//   load may rise.
// Method (few_moves/): up to 12 items on 4 ranks exactly (subsets.hpp). Otherwise ranks shed the
//   fewest largest items, which are packed at levels found by bisection, and exchanges improve the
//   result (search.hpp); also tried: no move, and weighted.hpp. Items below 2^-61 of the total
//   weight count as weightless, and leave ranks of speed 0 (weightless.hpp). Where room is limited
//   and the result breaks a limit, the same again with limits as further kinds of load (rooms.hpp).
// Guarantee: the largest load is never larger than before; max(level, bound) is never larger than
//   before nor, with one weight an item, than by weighted.hpp, nor are there more moves if it is
//   equal. The bound is 1 + tolerance or, with one weight an item, the level that pinned items
//   alone give a rank, if that is higher, but at most that of a share plus the heaviest item. Lower
//   bounds on the largest load and on the moves are certified.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/base/view.hpp"

namespace equipoise::placement {

/// The most weights that an item may have.
inline constexpr std::size_t weights_per_item_max = 64;

/// The most items of a rank that few moves level: they are numbered with 32 bits.
inline constexpr std::uint32_t weighted_items_max = std::numeric_limits<std::uint32_t>::max();
/// Throws InputError for more.
void expect_countable(std::uint64_t items);

/// The items of one rank, and its capabilities.
struct RankItems {
    /// Item by item, `weights_per_item` for each; finite, 0 or more.
    View<double> weights = {};
    /// Bytes of each item, finite, 0 or more; on all ranks that hold items or on none.
    View<double> sizes = {};
    Tokens pinned = 0;  ///< the first items, which never move
    double speed = 1;   ///< finite, 0 or more; at 0 only pinned items stay
    int machine = 0;    ///< ranks with equal numbers share one
    /// How many items it has room for, at least those that are pinned.
    Tokens most = tokens_max;
    /// How many bytes it has room for, at least those that are pinned; any number where infinite.
    /// If finite, all items have sizes.
    double bytes_most = std::numeric_limits<double>::infinity();
};

/// What is asked for.
struct PlaceOptions {
    double tolerance = 0;  ///< the largest load may be (1 + tolerance) times the share
    std::size_t weights_per_item = 1;
    /// Among placements that reach the level, prefers one that moves few items (bytes, where there
    /// are sizes) between machines; only then few in all.
    bool machines_first = false;
};

/// An item that changes its rank.
struct Relocation {
    int from = 0;
    Tokens place = 0;  ///< among the items of `from`
    int to = 0;
    friend bool operator==(const Relocation&, const Relocation&) = default;
};

/// The largest load, what was moved to reach it, and lower bounds on both.
struct PlacementFigures {
    /// The largest load per unit of speed, of pinned weight too. With several weights per item,
    /// each is divided by its average, and the largest of all counts: 1 is level.
    double largest_before = 0;
    double largest = 0;
    double largest_at_least = 0;  ///< no placement that keeps all limits has less
    double share = 0;             ///< of a rank of speed 1, in the unit of `largest`
    Tokens moved = 0;
    Tokens moved_at_least = 0;  ///< by any placement as level as this, or within the tolerance
    double bytes_moved = 0;     ///< 0 without sizes
    double bytes_at_least = 0;
    Tokens between_machines = 0;
};

/// Where the items of all ranks end.
struct Placement : PlacementFigures {
    std::vector<Relocation> moves;  ///< by from, then by place
    std::vector<double> loads;      ///< afterwards: rank by rank, weight by weight
};

/// Places items as described above. Cost about that of one sort of the items, and of a search over
/// those that may move (search.hpp), and again if limits were broken (rooms.hpp); exactly solved
/// instances up to 10 ms. Throws InputError if no rank has a speed above 0, if the sum of weights
/// or of sizes is not finite, if a rank has more than weighted_items_max items, and if there is not
/// room for all; where bytes are limited, also if no
/// placement was found that keeps the limits, which says whether there is none. Bytes are exact
/// where sizes are whole numbers, otherwise rounded to 2^-60 of the bytes of all items.
[[nodiscard]] Placement place(std::span<const RankItems> ranks, const PlaceOptions& options = {});

}  // namespace equipoise::placement
