#pragma once
// Asynchronous one-token diffusion: one token to every neighbour that was lower by 2d + 1.

#include <span>

#include "equipoise/base/tokens.hpp"
#include "equipoise/programs/stale_views.hpp"

namespace equipoise::programs {

// Problem: neighbours differ by at most 2d, d the network's largest degree, on any network.
// Model: asynchronous, multi-port, see `StaleViews`; every node knows d.
// Source: Aiello, Awerbuch, Maggs, Rao 1993; Ghosh et al. 1995 (confirmed in a public text);
//   asynchronous as there: the neighbours' loads are those of their last reports.
// Guarantee: at rest neighbours differ by at most 2d, hence discrepancy at most 2d times the
//   diameter; no node ever holds less than the smallest initial load.
struct OneTokenEach {
    Port degree_max = 0;

    void give(Tokens held, std::span<StaleView> ports) const {
        const Tokens threshold = 2 * Tokens{degree_max} + 1;
        for (StaleView& port : ports)
            port.gift = port.heard && held - port.view >= threshold ? 1 : 0;
    }
};

class AsyncOneTokenDiffusion : public StaleViews<OneTokenEach> {
  public:
    /// A node acts at most `window` ticks after news; 0: at once.
    explicit AsyncOneTokenDiffusion(Port degree_max, model::Ticks window = 0)
        : StaleViews<OneTokenEach>(OneTokenEach{degree_max}, window) {}
};

}  // namespace equipoise::programs
