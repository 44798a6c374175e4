#pragma once
// One token over every steep link.
//
// Problem: level tokens, one token per link and step.
// Model:   synchronous, multi-port, deterministic; all links at once on the old loads.
// Source:  Aiello, Awerbuch, Maggs, Rao 1993; Ghosh et al. 1995 (confirmed in a public text).
// Guarantee: conserves tokens, never negative; the potential falls by at least 2 per token moved;
//          frozen exactly when every difference is at most 2d, d the largest degree.
// Deviations: none. (The single-port form is Threshold2 of `threshold.hpp` over random matchings.)

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::protocols::baselines {

class OneTokenDiffusion {
  public:
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;

    /// `degree_max`: the network's largest degree d.
    explicit OneTokenDiffusion(Port degree_max) : threshold_(2 * Tokens{degree_max} + 1) {}

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep /*at*/) const {
        const Tokens difference = tail.load - head.load;
        return {(difference >= threshold_ ? 1 : 0) - (difference <= -threshold_ ? 1 : 0), {}};
    }

  private:
    Tokens threshold_;
};

static_assert(model::EdgeRule<OneTokenDiffusion>);

}  // namespace equipoise::protocols::baselines
