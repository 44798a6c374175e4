#pragma once
// Matched pairs share evenly; a fair coin decides who gets the odd token.
//
// Problem: level tokens to a constant discrepancy with one matching a step.
// Model:   synchronous, single-port, randomised; one matching a step (random or periodic).
// Source:  Friedrich, Sauerwald 2009; Sauerwald, Sun 2012 [A: confirmed in a public text].
// Guarantee: conserves tokens, never negative, extremes monotone; constant discrepancy with high
//          probability on regular networks after O(log(Kn) / gap) steps (Sauerwald, Sun).
// Deviations: none. The schedule says whether matchings are fresh or periodic.

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::protocols::baselines {

class CoinMatching {
  public:
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep at) const {
        const Tokens difference = tail.load - head.load;
        const Tokens half = floor_divide(difference, 2);
        const bool odd = difference != 2 * half;
        return {half + (odd && at.random().coin() ? 1 : 0), {}};
    }
};

static_assert(model::EdgeRule<CoinMatching>);

}  // namespace equipoise::protocols::baselines
