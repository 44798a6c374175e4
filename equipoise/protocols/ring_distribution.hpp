#pragma once
// Token distribution on a ring, clockwise.
//
// Problem: level indivisible tokens on a ring to a discrepancy of at most 1.
// Model:   synchronous, single-token, deterministic, no memory; nodes know which neighbour is next.
// Source:  Gehrke, Plaxton, Rajaraman 1999, "Rapid convergence of a local load balancing algorithm
//          for asynchronous rings" (rule reconstructed from the abstract).
// Guarantee: conserves tokens, never negative; the largest load never rises, the smallest never
//          falls; discrepancy at most 1 (proved), within 4 OPT + n steps (abstract), OPT the fewest
//          steps off-line.
// Deviations: none known. If n does not divide the tokens, single tokens go round for ever.

#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::protocols {

class RingDistribution {
  public:
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;
    static constexpr bool reads_only_loads_and_states = true;

    /// Links point clockwise: sends one token to the next node if that has fewer.
    [[nodiscard]] static model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                             const model::EdgeEnd<NodeState>& head,
                                                             const LinkState& /*link*/,
                                                             model::EdgeStep /*at*/) {
        return {tail.load > head.load ? 1 : 0, {}};
    }
};

static_assert(model::EdgeRule<RingDistribution>);

}  // namespace equipoise::protocols
