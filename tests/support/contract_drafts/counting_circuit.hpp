#pragma once
// Draft: the balancers of a counting network, one in every slot of the schedule.

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::contract_drafts {

// Problem: the outputs of the circuit differ by at most one, in the order of the wires.
// Model: synchronous, single-port; matchings of a circuit in order, a balancer for each slot.
// Source: Aspnes, Herlihy, Shavit 1994; Rabani, Sinclair, Wanka 1998, Section 4.
// Guarantee: a balancer's outputs, counted from its first token, are ceil and floor of the half,
//   the upper one (at the tail) in front.
class CountingCircuit {
  public:
    using NodeState = model::Nothing;
    struct LinkState {
        bool down = false;  ///< where the balancer sends its next token: starts up, to the tail
    };

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& link,
                                                      model::EdgeStep /*at*/) const {
        const Tokens passed = tail.load + head.load;
        const bool odd = passed % 2 != 0;
        const Tokens up = passed / 2 + (odd && !link.down ? 1 : 0);
        return {tail.load - up, {link.down != odd}};
    }
};

static_assert(model::EdgeRule<CountingCircuit>);

}  // namespace equipoise::contract_drafts
