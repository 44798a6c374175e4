#pragma once
// Second-order diffusion: every link remembers its last flow.
//
// Problem: level tokens faster than first-order diffusion on networks with a small eigenvalue gap.
// Model:   synchronous, multi-port, deterministic; all links at once on the old loads.
// Source:  Muthukrishnan, Ghosh, Schultz 1996/1998; the rounding is reconstructed (not checked
//          against the printed text).
// Guarantee: the idealised process shrinks the error by about sqrt(beta - 1) a step, with
//          beta = 2 / (1 + sqrt(1 - lambda^2)); none for the token process.
// Deviations: round 1 is a first-order round; then y = trunc((beta - 1) y_prev + beta (x - y) / q),
//          antisymmetric, towards zero. Loads may fall below zero; the minimum is reported, nothing
//          is clamped. beta is held in 32 fractional bits, so that every machine computes the same.

#include <cstdint>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/protocols/diffusion.hpp"

namespace equipoise::protocols {

class Diffusion2 {
  public:
    /// Loads below zero belong to the process.
    static constexpr bool may_owe = true;
    using NodeState = model::Nothing;
    /// Net flow from tail to head in the step before.
    using LinkState = Tokens;

    static constexpr unsigned fraction_bits = 32;

    /// `beta` in [1, 2); 1 is first-order diffusion.
    explicit Diffusion2(double beta)
        : beta_(static_cast<Tokens>(beta * static_cast<double>(one))) {}

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& previous,
                                                      model::EdgeStep at) const {
        const Tokens divisor = metropolis_divisor(tail.degree, head.degree);
        if (at.step == 0) {
            const Tokens first = (tail.load - head.load) / divisor;
            return {first, first};
        }
        const Int128 inertia = Int128{beta_ - one} * previous * divisor;
        const Int128 drive = Int128{beta_} * (tail.load - head.load);
        const auto flow = static_cast<Tokens>((inertia + drive) / (Int128{one} * divisor));
        return {flow, flow};
    }

    /// beta as it is held, in units of 2^-32.
    [[nodiscard]] Tokens held_beta() const { return beta_; }

  private:
    static constexpr Tokens one = Tokens{1} << fraction_bits;
    Tokens beta_;
};

static_assert(model::EdgeRule<Diffusion2>);

}  // namespace equipoise::protocols
