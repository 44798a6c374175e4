#pragma once
// The moves of one rank: which ranges of its vector it sends, keeps and receives.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::placement {

/// A range of items for or from another rank.
struct Parcel {
    int rank = 0;
    Tokens first = 0;  ///< place of the first: in the old vector if sent, in the new if received;
                       ///< or where its place stands in `leaving` or `arriving`
    Tokens items = 0;  ///< at least 1
    friend bool operator==(const Parcel&, const Parcel&) = default;
};

/// One rank's part in one round of moves.
///
/// The items that leave are either all but one range of the old vector, or scattered over it; the
/// same holds for those that arrive, in the new vector. Items that stay keep their order and fill
/// the other places. Plans of several rounds have no scattered items.
struct RankMoves {
    std::vector<Parcel> sends;     ///< by place
    std::vector<Parcel> receives;  ///< by place
    Tokens size_before = 0;
    Tokens size_after = 0;
    Tokens kept_from = 0;  ///< place of the first item that stays, if none that leaves is scattered
    Tokens kept_to = 0;    ///< its place in the new vector, if none that arrives is scattered
    Tokens kept = 0;       ///< items that stay
    std::vector<Tokens> leaving;   ///< old places of scattered items, parcel after parcel
    std::vector<Tokens> arriving;  ///< new places of scattered items, parcel after parcel

    [[nodiscard]] Tokens sent() const { return size_before - kept; }
    [[nodiscard]] Tokens received() const { return size_after - kept; }
    [[nodiscard]] bool scattered() const { return !leaving.empty() || !arriving.empty(); }
    friend bool operator==(const RankMoves&, const RankMoves&) = default;
};

/// The last items leave, in the order of `transfers`; arrivals are appended. `size` is the number
/// of items that the rank holds before. Cost O(transfers).
[[nodiscard]] RankMoves moves_at_end(std::span<const Transfer> transfers, int rank, Tokens size);

/// Items leave and arrive at both ends, so that the items of all ranks stay in their order.
/// `transfers` as from match_in_order. Cost O(transfers).
[[nodiscard]] RankMoves moves_in_order(std::span<const Transfer> transfers, int rank, Tokens size);

/// An item that leaves.
struct Departure {
    Tokens place = 0;
    int to = 0;
};

/// The given items leave; arrivals are appended in the order of `transfers`, of which there is at
/// most one from each rank to each other. From this rank, `transfers` must send exactly the
/// departures. Departures may come in any order. Cost O(departures log departures + transfers).
[[nodiscard]] RankMoves moves_of(std::span<const Departure> departures,
                                 std::span<const Transfer> transfers, int rank, Tokens size);

/// The moves that undo these: every item returns to the place that it left.
[[nodiscard]] RankMoves inverse(RankMoves moves);

/// Items that stay and are neighbours before and after.
struct Run {
    Tokens from = 0;  ///< place of the first in the old vector
    Tokens to = 0;    ///< in the new one
    Tokens items = 0;
    friend bool operator==(const Run&, const Run&) = default;
};
/// All items that stay, by place: at most k + 1 runs for k scattered places. Cost O(k log k).
[[nodiscard]] std::vector<Run> kept_runs(const RankMoves& moves);

}  // namespace equipoise::placement
