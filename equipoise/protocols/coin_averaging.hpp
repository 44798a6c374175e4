#pragma once
// Two linked nodes share evenly; a coin decides who gets the odd token.
//
// Problem: level tokens to a constant discrepancy, on any network.
// Model:   synchronous, single-port, randomised; a matching a step (random, or fixed ones in turn),
//          or one random link a step.
// Source:  Sauerwald, Sun 2012 (confirmed in a public text); Berenbrink and others 2025; with alpha
//          below 1/2 Friedrich, Sauerwald, Vilenchik 2010 (both reconstructed from the abstract).
// Guarantee: conserves tokens, never negative, extremes monotone; a pair that differs by D loses
//          exactly floor(D^2 / 2) of the sum of squares; discrepancy 3 with high probability in the
//          spectral time (Berenbrink and others; their constants are not printed there).
// Deviations: with alpha below 1/2 the end of the odd token is drawn anew at every use of a link;
//          in the source once, before the run.

#include <cmath>
#include <cstdint>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::protocols {

class CoinAveraging {
  public:
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;

    static constexpr bool reads_only_loads_and_states = true;

    /// The odd token stays at the tail, but goes to the head with probability `alpha`, 0 to 1/2.
    explicit CoinAveraging(double alpha = 0.5)
        : heads_(static_cast<std::uint64_t>(std::ldexp(alpha, 64))) {
        EQUIPOISE_ASSERT(0 <= alpha && alpha <= 0.5);
    }

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep at) const {
        const Tokens difference = tail.load - head.load;
        const Tokens half = floor_divide(difference, 2);
        const bool odd = difference != 2 * half;
        return {half + (odd && to_head(at) ? 1 : 0), {}};
    }

  private:
    /// Both ends draw the same word.
    [[nodiscard]] bool to_head(model::EdgeStep at) const { return ~at.random().at(0) < heads_; }

    std::uint64_t heads_;  ///< how many of the 2^64 words send the odd token to the head
};

static_assert(model::EdgeRule<CoinAveraging>);

}  // namespace equipoise::protocols
