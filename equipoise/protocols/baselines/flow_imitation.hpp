#pragma once
// Flow imitation: tokens follow the idealised diffusion link by link.
//
// Problem: stay within one token per link of first-order diffusion, on any network.
// Model:   synchronous, multi-port; all links at once; deterministic or randomised.
// Source:  Akbari, Berenbrink, Sauerwald 2012 (bounds confirmed in a public text, rule
//          reconstructed from the idea).
// Guarantee: |f - F| < 1 on every link after every step (f, F: cumulative idealised and token
//          flow), so a load without dummies is less than its node's degree d away from the
//          idealised one; with rounding towards zero, that is also true of loads with dummies.
// Deviations: idealised loads and flows have 20 fractional bits and add up exactly. A node short of
//          tokens makes dummies, and removes one as soon as it has a token to spare, not at the
//          end: tokens are alike, and flows do not depend on loads. (A node with dummies left holds
//          what the last step brought: on each link less than 1 above the idealised flow, which is
//          no more than the idealised load.)

#include <algorithm>
#include <cstdint>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/protocols/diffusion.hpp"

namespace equipoise::protocols::baselines {

class FlowImitation {
  public:
    /// One token, scaled.
    static constexpr Tokens one = Tokens{1} << 20U;

    enum class Rounding : std::uint8_t {
        towards_zero,  ///< send trunc(f - F)
        random,        ///< and one more with the probability of the fraction that is left
    };

    struct NodeState {
        Tokens ideal = 0;    ///< load of the idealised process, scaled
        Tokens dummies = 0;  ///< tokens made here and not yet removed
        friend bool operator==(const NodeState&, const NodeState&) = default;
    };
    struct LinkState {
        Tokens behind = 0;  ///< f - F from tail to head, scaled
        Tokens ideal = 0;   ///< idealised flow of the last step, scaled
        friend bool operator==(const LinkState&, const LinkState&) = default;
    };

    explicit FlowImitation(Rounding rounding = Rounding::towards_zero) : rounding_(rounding) {}

    /// Throws OverflowError for more than about 8e12 tokens at a node.
    [[nodiscard]] static NodeState start_node(model::NodeInfo info) {
        return {checked_multiply(info.load, one), 0};
    }

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& link,
                                                      model::EdgeStep at) const {
        const Tokens ideal =
            (tail.state.ideal - head.state.ideal) / metropolis_divisor(tail.degree, head.degree);
        const Tokens behind = link.behind + ideal;
        Tokens flow = behind / one;
        const Tokens left = behind - flow * one;
        if (rounding_ == Rounding::random && left != 0 &&
            static_cast<Tokens>(at.random().below(one)) < (left < 0 ? -left : left))
            flow += left < 0 ? -1 : 1;
        return {flow, {behind - flow * one, ideal}};
    }

    static void merge(NodeState& own, const NodeState& /*neighbour*/, const LinkState& link,
                      model::LinkEnd own_end, Tokens /*inflow*/) {
        own.ideal += own_end == model::LinkEnd::tail ? -link.ideal : link.ideal;
    }

    /// Makes the tokens that are missing as dummies; otherwise removes as many dummies as can be
    /// spared.
    [[nodiscard]] static Tokens create(NodeState& own, Tokens load, Tokens outflow) {
        const Tokens made = std::max(outflow - load, -own.dummies);
        own.dummies += made;
        return made;
    }

  private:
    Rounding rounding_;
};

static_assert(model::EdgeRule<FlowImitation>);

}  // namespace equipoise::protocols::baselines
