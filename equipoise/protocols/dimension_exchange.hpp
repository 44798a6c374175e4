#pragma once
// Dimension exchange: matched pairs share evenly, the odd token along the link's orientation.
//
// Problem: level tokens with one matching a step.
// Model:   synchronous, single-port, deterministic; matchings in turn.
// Source:  Cybenko 1989; Rabani, Sinclair, Wanka 1998, Section 1 (periodic matchings).
// Guarantee: discrepancy at most d after d steps on the hypercube of dimension d; extremes
//          monotone on every network.
// Deviations: the odd token goes to the tail of the schedule's orientation (by default the
//          lower-numbered end). With tails numbered below heads it ends quiet: every move lowers
//          sum x^2, or keeps it and lowers sum v x_v. With speeds s the pair shares x_u + x_v in
//          proportion s_u : s_v, rounded to the nearest, halves at the tail (the same with sum x^2
//          / s).

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::protocols {

class DimensionExchange {
  public:
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep /*at*/) const {
        if (tail.speed == head.speed) return {flow_between(tail.load, head.load), {}};
        const Int128 sum = Int128{tail.load} + head.load;
        const Int128 speeds = Int128{tail.speed} + head.speed;
        const Int128 head_share = (2 * sum * head.speed + speeds - 1) / (2 * speeds);
        return {static_cast<Tokens>(head_share - head.load), {}};
    }
    /// Half the difference, rounded down.
    template <class Int>
    [[nodiscard]] constexpr Int flow_between(Int tail, Int head) const {
        return (tail - head) >> 1;
    }
};

static_assert(model::EdgeRule<DimensionExchange> && model::FlowsBetweenLoads<DimensionExchange>);

}  // namespace equipoise::protocols
