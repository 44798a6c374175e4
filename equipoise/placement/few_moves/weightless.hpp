#pragma once
// Which ranks take the weightless items of ranks of speed 0, which keep only pinned items.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::placement {

/// Sends all `items` (by rank, above 0 only where the speed is 0) to ranks with a speed above 0, in
/// equal numbers: on the same machine if it has such ranks, otherwise on any machine. Empty:
/// machines do not matter. Within each machine, and once more between machines, there are fewer
/// transfers than senders and receivers. The transfers are sorted by rank. Needs a speed above 0.
/// Cost O(P log P).
[[nodiscard]] std::vector<Transfer> send_weightless(std::span<const Tokens> items,
                                                    std::span<const double> speeds,
                                                    std::span<const int> machine);

}  // namespace equipoise::placement
