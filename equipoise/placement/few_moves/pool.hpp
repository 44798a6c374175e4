#pragma once
// Items that may move, and the ranks where they are placed.

#include <cstddef>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/few_moves/capacity.hpp"

namespace equipoise::placement {

/// What a placement moves, as one number by which placements are compared: bytes or items between
/// machines (if these come first), then bytes, then items. Additive.
using Cost = Int128;

/// Sizes in bytes are held in units such that all items together have less than 2^bytes_bits.
inline constexpr int bytes_bits = 40;
/// Placements move less than 2^items_bits items.
inline constexpr int items_bits = 34;

/// The cost of items that move together.
[[nodiscard]] Cost cost_of(Tokens items, bool by_bytes, Units bytes, bool between_machines);

/// Items that may move. Everything else that a rank holds stays.
struct Pool {
    std::size_t kinds = 1;
    bool by_bytes = false;
    std::vector<Units> stays;    ///< rank by rank, kind by kind: what does not move
    std::vector<int> machine;    ///< by rank; empty: machines do not matter
    std::vector<int> home;       ///< by item: the rank that holds it
    std::vector<Units> weights;  ///< item by item, kind by kind
    std::vector<Units> bytes;    ///< by item, if `by_bytes`
    std::vector<Tokens> counts;  ///< by item: how many it stands for; empty: itself alone

    [[nodiscard]] std::size_t items() const { return home.size(); }
    [[nodiscard]] std::span<const Units> weight(std::size_t item) const {
        return std::span(weights).subspan(item * kinds, kinds);
    }
    /// The cost of an item on a rank.
    [[nodiscard]] Cost cost(std::size_t item, int rank) const;
};

/// A rank for every item of a pool.
struct Assignment {
    std::vector<int> at;       ///< by item
    std::vector<Units> loads;  ///< rank by rank, kind by kind
    double level = 0;
    Cost cost = 0;
};

/// The assignment that leaves all items where they are.
[[nodiscard]] Assignment at_home(const Pool& pool, const Capacity& capacity);

/// Fills in loads, level and cost from `at`.
void appraise(const Pool& pool, const Capacity& capacity, Assignment& assignment);

/// Whether one assignment is better: a lower level, unless neither is above `bound`; at equal
/// levels, a lower cost.
[[nodiscard]] bool better(const Assignment& one, const Assignment& other, double bound);

}  // namespace equipoise::placement
