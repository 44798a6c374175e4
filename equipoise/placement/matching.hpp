#pragma once
// Which rank sends how many items to which, given the numbers that every rank holds and should
// hold.

#include <cstddef>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::placement {

/// Matches surpluses with deficits.
///
/// Write the surpluses of all ranks one after the other on a line, and the deficits likewise: the
/// overlap of a surplus's interval with a deficit's is the number of items that go from one to the
/// other. No item moves without need, and every message uses up a surplus or a deficit, the last
/// one both. So there are at most (ranks with a surplus) + (ranks with a deficit) - 1 messages. The
/// transfers are sorted by rank. Cost O(P).
[[nodiscard]] std::vector<Transfer> match_surpluses(std::span<const Tokens> counts,
                                                    std::span<const Tokens> targets);

/// The transfers that keep all items in their order across ranks. Number all items across ranks;
/// item i goes to the rank whose interval in the running sum of targets contains i. Cost O(P).
[[nodiscard]] std::vector<Transfer> match_in_order(std::span<const Tokens> counts,
                                                   std::span<const Tokens> targets);

/// Matches surpluses with deficits among some ranks, in their order, as far as possible, and
/// appends the transfers. `left` is the number that every rank still holds above its target; it is
/// updated.
void match_among(std::span<Tokens> left, std::span<const std::size_t> ranks,
                 std::vector<Transfer>& transfers);

/// The number that every rank holds above its target.
[[nodiscard]] std::vector<Tokens> above_targets(std::span<const Tokens> counts,
                                                std::span<const Tokens> targets);

/// 0, 1, ..., ranks - 1.
[[nodiscard]] std::vector<std::size_t> all_ranks(std::size_t ranks);

}  // namespace equipoise::placement
