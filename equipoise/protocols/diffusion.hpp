#pragma once
// First-order diffusion with the net flow of every link rounded down.
//
// Problem: level indivisible tokens on any network, coarsely and fast.
// Model:   synchronous, multi-port, deterministic; all links at once on the old loads.
// Source:  Rabani, Sinclair, Wanka 1998, Sections 1 and 3 (rounding); Cybenko 1989, Boillat 1990
//          (diffusion).
// Guarantee: never negative; after ceil((2 / gap) ln(K N^2)) steps every load is within
//          2 + d/(d+1) Psi of its mean for regular networks (Theorem 2, sharpened; Corollary 3).
// Deviations: none for equal speeds; the flow floor(p (x - y)) is computed in exact integers. With
//          speeds s it is floor((x_u s_v - x_v s_u) / (q max(s_u, s_v))), whose fixed points are
//          proportional to speeds; the paper's bounds are for equal speeds. WeightedDiffusion plays
//          any doubly stochastic matrix, and rounds single transfers where it is asked to.

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

/// The same with the entries of any doubly stochastic round matrix, for both directions of each
/// slot of the schedule. The weights at a node sum to at most 1, so no node sends more than it has.
/// Speeds are allowed for symmetric matrices and net flows only.
class WeightedDiffusion {
  public:
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;

    /// What is rounded down (Rabani, Sinclair, Wanka 1998, Section 2).
    enum class Rounding : std::uint8_t {
        net,   ///< the net flow of a link
        down,  ///< what each end sends the other
    };
    /// P_tail,head = forth / denominator, P_head,tail = back / denominator.
    struct Weight {
        Tokens forth = 0;
        Tokens back = 0;
        Tokens denominator = 1;
    };

    explicit WeightedDiffusion(std::vector<Weight> by_slot, Rounding rounding = Rounding::net)
        : by_slot_(std::move(by_slot)), rounding_(rounding) {}

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep at) const {
        const auto& [forth, back, denominator] = by_slot_[at.slot];
        if (rounding_ == Rounding::down)
            return {static_cast<Tokens>(Int128{tail.load} * forth / denominator -
                                        Int128{head.load} * back / denominator),
                    {}};
        const Int128 excess =
            Int128{tail.load} * forth * head.speed - Int128{head.load} * back * tail.speed;
        return {
            static_cast<Tokens>(excess / (Int128{denominator} * std::max(tail.speed, head.speed))),
            {}};
    }

  private:
    std::vector<Weight> by_slot_;
    Rounding rounding_;
};

static_assert(model::EdgeRule<WeightedDiffusion>);

}  // namespace equipoise::protocols
