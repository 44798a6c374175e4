#pragma once
// Moving items along links, hop by hop.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::placement {

/// The net flow over every link, given single transfers: opposite transfers cancel, and so do
/// circulations, which change no rank's number. In the order of (from, to).
[[nodiscard]] std::vector<Transfer> net_flows(std::span<const Transfer> transfers);

/// The rounds in which net flows can be sent: in each, every rank sends as much of its remaining
/// flow as it holds items. Items that arrive can travel on in the next round.
///
/// This ends: in net flows without circulations there is always a rank that waits for no other and
/// holds all that it has to send (`counts` plus inflow minus outflow is nowhere negative). At most
/// P - 1 rounds. Cost O(rounds * flows).
[[nodiscard]] std::vector<std::vector<Transfer>> rounds_of(std::span<const Transfer> flows,
                                                           std::span<const Tokens> counts);

}  // namespace equipoise::placement
