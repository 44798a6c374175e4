#pragma once
// Quasirandom (bounded-error) diffusion: every link carries its rounding error over to the next
// step.
//
// Problem: level tokens close to the idealised diffusion.
// Model:   synchronous, multi-port, deterministic; all links at once on the old loads.
// Source:  Friedrich, Gairing, Sauerwald 2010/2012 (formula reconstructed from the idea).
// Guarantee: |error of every link| <= 1/2 at every step, where the error is the difference between
//          rounded and idealised cumulative flow on the token loads.
// Deviations: errors are held exactly, as numerators over twice the link's divisor. Loads may fall
//          below zero.

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/protocols/diffusion.hpp"

namespace equipoise::protocols::baselines {

class QuasirandomDiffusion {
  public:
    /// Loads below zero belong to the process.
    static constexpr bool may_owe = true;
    using NodeState = model::Nothing;
    /// Rounding error of the link times its divisor: |state| <= divisor / 2.
    using LinkState = Tokens;

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& error,
                                                      model::EdgeStep /*at*/) const {
        const Tokens divisor = metropolis_divisor(tail.degree, head.degree);
        const Tokens wanted = tail.load - head.load + error;                  // w times the divisor
        const Tokens flow = floor_divide(2 * wanted + divisor, 2 * divisor);  // floor(w + 1/2)
        return {flow, wanted - flow * divisor};
    }
};

static_assert(model::EdgeRule<QuasirandomDiffusion>);

}  // namespace equipoise::protocols::baselines
