#pragma once
// Moving items along links, hop by hop.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::placement {

/// What crosses every link in total, given its single transfers: opposite transfers cancel, and so
/// do circulations, which change no rank's number. In the order of (from, to).
[[nodiscard]] std::vector<Transfer> net_flows(std::span<const Transfer> transfers);

/// The rounds in which net flows can be sent: in each, every rank sends as much of what it still
/// has to send as it holds. What arrives can travel on in the next round.
///
/// This ends: in net flows without circulations there is always a rank that waits for no other and
/// holds what it has to send (`counts` plus inflow minus outflow is nowhere negative). At most P -
/// 1 rounds. Cost O(rounds * flows).
[[nodiscard]] std::vector<std::vector<Transfer>> rounds_of(std::span<const Transfer> flows,
                                                           std::span<const Tokens> counts);

}  // namespace equipoise::placement
