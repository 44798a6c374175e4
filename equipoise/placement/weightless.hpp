#pragma once
// Where items that weigh nothing go from ranks of speed 0, which keep only what is pinned.

#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::placement {

/// Sends all `items` (by rank, above 0 only where the speed is 0) to ranks with a speed above 0, as
/// many to each of them: on the same machine, where one has such ranks, else on any. Empty:
/// machines do not matter. At most one transfer less than there are senders and receivers, on each
/// machine and once more for all. The transfers are sorted by rank. Needs a speed above 0. Cost
/// O(P log P).
[[nodiscard]] std::vector<Transfer> send_weightless(std::span<const Tokens> items,
                                                    std::span<const double> speeds,
                                                    std::span<const int> machine);

}  // namespace equipoise::placement
