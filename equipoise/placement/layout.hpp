#pragma once
// Which ranges of its vector a rank sends, keeps and receives.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::placement {

/// A range of items for or from another rank.
struct Parcel {
    int rank = 0;
    Tokens first = 0;  ///< place of the first: in the old vector if sent, in the new if received
    Tokens items = 0;  ///< at least 1
    friend bool operator==(const Parcel&, const Parcel&) = default;
};

/// One rank's part in one round of moves.
struct Layout {
    std::vector<Parcel> sends;     ///< by place
    std::vector<Parcel> receives;  ///< by place
    Tokens size_before = 0;
    Tokens size_after = 0;
    Tokens kept_from = 0;  ///< place of the first item that stays, in the old vector
    Tokens kept_to = 0;    ///< its place in the new vector
    Tokens kept = 0;       ///< items that stay

    [[nodiscard]] Tokens sent() const { return size_before - kept; }
    [[nodiscard]] Tokens received() const { return size_after - kept; }
    friend bool operator==(const Layout&, const Layout&) = default;
};

/// The last items leave, in the order of `transfers`; what arrives is appended.
/// `size` is what the rank holds before. Cost O(transfers).
[[nodiscard]] Layout layout_at_end(std::span<const Transfer> transfers, int rank, Tokens size);

/// Items leave and arrive at both ends, so that the items of all ranks stay in their order.
/// `transfers` as from match_in_order. Cost O(transfers).
[[nodiscard]] Layout layout_in_order(std::span<const Transfer> transfers, int rank, Tokens size);

}  // namespace equipoise::placement
