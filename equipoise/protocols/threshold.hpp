#pragma once
// THRESHOLD-1 and THRESHOLD-2.
//
// Problem: level indivisible tokens by dimension exchange: one token over an active link whose ends
//          differ by at least one (THRESHOLD-1) or two (THRESHOLD-2).
// Model:   synchronous, single-port: the active links of a step share no node. Deterministic.
// Source:  Houle, Symvonis, Wood 2004, Section 2.
// Guarantee: THRESHOLD-2 stops moving tokens with every link's discrepancy at most 1, hence with a
//          global discrepancy of at most the diameter (Theorem 5). THRESHOLD-1 on a tree reaches a
//          discrepancy of at most the tree's maximum stable discrepancy (Theorem 12), though its
//          tokens move for ever. Under both, the maximum never rises and the minimum never falls
//          (Observation 3).
// Deviations: none.

#include <type_traits>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::protocols {

/// One token from the end that is higher by `threshold` or more: +1 from tail to head, -1 from head
/// to tail, 0 for none. `threshold` >= 1.
template <class Int>
[[nodiscard]] constexpr Int threshold_flow(Int tail, Int head,
                                           std::type_identity_t<Int> threshold) {
    const Int difference = tail - head;
    // Without branches, since this is the innermost loop of a step over rows.
    return static_cast<Int>(difference >= threshold) - static_cast<Int>(difference <= -threshold);
}

/// THRESHOLD-1: sends a token over every active link whose ends differ. Cost O(1) per link.
struct Threshold1 {
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;
    static constexpr bool reads_only_loads_and_states = true;

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep /*at*/) const {
        return {flow_between(tail.load, head.load), {}};
    }
    template <class Int>
    [[nodiscard]] constexpr Int flow_between(Int tail, Int head) const {
        return threshold_flow(tail, head, 1);
    }
};

/// THRESHOLD-2: sends a token over every active link whose ends differ by at least two. Cost O(1) a
/// link.
struct Threshold2 {
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;
    static constexpr bool reads_only_loads_and_states = true;

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep /*at*/) const {
        return {flow_between(tail.load, head.load), {}};
    }
    template <class Int>
    [[nodiscard]] constexpr Int flow_between(Int tail, Int head) const {
        return threshold_flow(tail, head, 2);
    }
};

static_assert(model::EdgeRule<Threshold1> && model::FlowsBetweenLoads<Threshold1>);
static_assert(model::EdgeRule<Threshold2> && model::FlowsBetweenLoads<Threshold2>);

}  // namespace equipoise::protocols
