#pragma once
// First-order diffusion with the net flow of every link rounded down.
//
// Problem: level indivisible tokens on any network, coarsely and fast.
// Model:   synchronous, multi-port, deterministic; all links at once on the old loads.
// Source:  Rabani, Sinclair, Wanka 1998, Sections 1 and 3 (rounding); Cybenko 1989, Boillat 1990
//          (diffusion).
// Guarantee: never negative; after ceil((2 / gap) ln(K N^2)) steps every load is within
//          2 + d/(d+1) Psi of its mean for regular networks (Theorem 2, sharpened; Corollary 3);
//          frozen exactly when every difference is below the link's divisor.
// Deviations: none for equal speeds; the flow floor(p (x - y)) is computed in exact integers. With
//          speeds s it is floor((x_u s_v - x_v s_u) / (q max(s_u, s_v))), whose fixed points are
//          proportional to speeds; the paper's bounds are for equal speeds.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::protocols {

/// The divisor of a link under Metropolis weights P_uv = 1 / (max(deg u, deg v) + 1). On a
/// d-regular network this is the uniform weight 1 / (d + 1).
[[nodiscard]] constexpr Tokens metropolis_divisor(Port degree_tail, Port degree_head) {
    return Tokens{std::max(degree_tail, degree_head)} + 1;
}

/// The difference that drives a flow: x - y for equal speeds, else the difference of loads per unit
/// of speed, scaled by the slower end's speed. Rounded towards zero after division by `divisor`.
[[nodiscard]] constexpr Tokens driven_flow(Tokens load_tail, Tokens speed_tail, Tokens load_head,
                                           Tokens speed_head, Tokens divisor) {
    if (speed_tail == speed_head) return (load_tail - load_head) / divisor;
    const Int128 excess = Int128{load_tail} * speed_head - Int128{load_head} * speed_tail;
    return static_cast<Tokens>(excess / (Int128{divisor} * std::max(speed_tail, speed_head)));
}

class Diffusion {
  public:
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;

    /// `divisor` 0: Metropolis weights; otherwise the same weight 1 / divisor on every link, with
    /// divisor > largest degree.
    explicit Diffusion(Tokens divisor = 0) : divisor_(divisor) {}

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep /*at*/) const {
        const Tokens divisor =
            divisor_ > 0 ? divisor_ : metropolis_divisor(tail.degree, head.degree);
        return {driven_flow(tail.load, tail.speed, head.load, head.speed, divisor), {}};
    }

    [[nodiscard]] Tokens uniform_divisor(Port degree) const {
        return divisor_ > 0 ? divisor_ : metropolis_divisor(degree, degree);
    }

  private:
    Tokens divisor_;
};

static_assert(model::EdgeRule<Diffusion>);

/// The same with the weights p / q of any symmetric round matrix, one for each slot of the
/// schedule; the weights at a node sum to at most 1, so no node sends more than it has.
class WeightedDiffusion {
  public:
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;

    struct Weight {
        Tokens numerator = 0;
        Tokens denominator = 1;
    };

    explicit WeightedDiffusion(std::vector<Weight> by_slot) : by_slot_(std::move(by_slot)) {}

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep at) const {
        const Weight weight = by_slot_[at.slot];
        const Int128 excess = Int128{tail.load} * head.speed - Int128{head.load} * tail.speed;
        const Int128 divisor = Int128{weight.denominator} * std::max(tail.speed, head.speed);
        return {static_cast<Tokens>(excess * weight.numerator / divisor), {}};
    }

  private:
    std::vector<Weight> by_slot_;
};

static_assert(model::EdgeRule<WeightedDiffusion>);

}  // namespace equipoise::protocols
