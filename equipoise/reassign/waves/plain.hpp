#pragma once
// Moves to given ends as a problem of items with one size, which optimum/waves solves.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "equipoise/optimum/waves/problem.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// Items that are not yet at their ends, numbered anew; nodes are machines. Items are at the
/// machines that give them; where these are not known (see `GiversAs`), at further nodes, one for
/// each item that others are copied from.
struct PlainProblem {
    optimum::ItemsProblem problem;  ///< `final_places` are the ends
    std::vector<ItemId> items;      ///< by item of `problem`
    std::vector<ItemId> sources;    ///< by node, after those of machines: what is copied there
};

/// Which machine gives an item that is copied from another one (`CopySources`).
enum class GiversAs : std::uint8_t {
    /// Only the machine of an item that must not move. What others are copied from is on one
    /// machine when a wave begins, and gives no more than a machine can.
    sources,
    /// The same, but of what is copied from an item that may move and ends where it is, one copy
    /// at least is given by its machine, unless the item itself leaves that.
    machines,
    /// As if an item that ends where it is never left.
    likely,
};

/// What a wave allows to be given and taken, and nothing else: unless givers are only likely, no
/// schedule to these ends has fewer waves than one of this problem.
[[nodiscard]] PlainProblem rates_alone(const Problem& problem, std::span<const MachineId> ends,
                                       GiversAs givers);

/// The whole problem, if no more than capacities of one resource and copies can get in the way of
/// items that go straight to their ends: rules that cannot come to be broken on the way are left
/// out. Nothing otherwise, or if some item must not be where it ends. Where items are copied from
/// others, nothing but rates may be in the way, and what they are copied from must stay. Detours
/// may break rules nevertheless. Cost O(items (resources + rules)).
[[nodiscard]] std::optional<PlainProblem> as_plain(const Problem& problem,
                                                   std::span<const MachineId> ends);

}  // namespace equipoise::reassign
