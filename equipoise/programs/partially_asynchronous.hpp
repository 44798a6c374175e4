#pragma once
// Song's partially asynchronous balancing: fill up lower neighbours as far as views allow.

#include <span>

#include "equipoise/base/tokens.hpp"
#include "equipoise/programs/stale_views.hpp"
#include "equipoise/programs/water.hpp"

namespace equipoise::programs {

// Problem: make the loads of neighbours differ by at most one, on any network.
// Model: partially asynchronous, see `StaleViews`.
// Source: Song 1994 (bound confirmed in a public text, amounts reconstructed). A node gives to less
//   loaded neighbours only, stays at least as high as each receiver's view plus its gift, and gives
//   something to its least loaded neighbour if that one's view is lower by two or more. It gives as
//   water would fill the lower neighbours, which is the most that these conditions allow.
// Guarantee: at rest neighbours differ by at most 1, hence discrepancy at most the diameter; no
//   node ever holds less than the smallest initial load. The bound ceil(D/2) of the source is not
//   met: loads 0, 1, .., D along a path are at rest under its conditions.
// Deviations: a node acts only on news, since acting again on the same views would move nothing.
struct FillLower {
    static void give(Tokens held, std::span<StaleView> ports) {
        const std::span<const StaleView> views = ports;
        if (!someone_is_lower(held, views)) return;
        pour(find_water(held, views), views,
             [&](Port port, Tokens gift) { ports[port].gift = gift; });
    }
};

class PartiallyAsynchronous : public StaleViews<FillLower> {
  public:
    /// A node acts at most `window` ticks after news; 0: at once.
    explicit PartiallyAsynchronous(model::Ticks window = 0)
        : StaleViews<FillLower>(FillLower(), window) {}
};

}  // namespace equipoise::programs
