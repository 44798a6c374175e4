#pragma once
// Draft: tokens follow the idealised diffusion; a node short of tokens makes dummies.

#include <algorithm>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::contract_drafts {

// Problem: stay within one token a link of first-order diffusion, on any network.
// Model: synchronous, multi-port, deterministic; all links at once.
// Source: Akbari, Berenbrink, Sauerwald 2012 (rule reconstructed).
// Guarantee: |cumulative ideal flow - cumulative token flow| < 1 on every link, after every step.
// Deviations: ideal loads and flows are fixed-point numbers of 20 fractional bits, antisymmetric,
//   so that their sum is kept exactly.
class FlowImitation {
  public:
    static constexpr Tokens one = Tokens{1} << 20U;

    struct NodeState {
        Tokens ideal = 0;    ///< load of the idealised process, scaled
        Tokens dummies = 0;  ///< tokens this node made
    };
    struct LinkState {
        Tokens behind = 0;  ///< f - F, scaled: ideal minus token flow from tail to head
        Tokens ideal = 0;   ///< ideal flow of the last step, scaled
    };

    [[nodiscard]] NodeState start_node(model::NodeInfo info) const {
        return {checked_multiply(info.load, one), 0};
    }
    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& link,
                                                      model::EdgeStep /*at*/) const {
        const Tokens divisor = std::max(tail.degree, head.degree) + Tokens{1};
        const Tokens ideal = (tail.state.ideal - head.state.ideal) / divisor;
        const Tokens behind = link.behind + ideal;
        const Tokens flow = behind / one;
        return {flow, {behind - flow * one, ideal}};
    }
    void merge(NodeState& own, const NodeState& /*neighbour*/, const LinkState& link,
               model::LinkEnd own_end, Tokens /*inflow*/) const {
        own.ideal += own_end == model::LinkEnd::tail ? -link.ideal : link.ideal;
    }
    [[nodiscard]] Tokens create(NodeState& own, Tokens load, Tokens outflow) const {
        const Tokens made = std::max<Tokens>(0, outflow - load);
        own.dummies += made;
        return made;
    }
};

static_assert(model::EdgeRule<FlowImitation> && model::MergesStates<FlowImitation> &&
              model::CreatesTokens<FlowImitation> && model::StartsNodes<FlowImitation>);

}  // namespace equipoise::contract_drafts
