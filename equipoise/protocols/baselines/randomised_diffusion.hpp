#pragma once
// Randomised diffusion: excess tokens go to distinct random neighbours.
//
// Problem: level tokens close to the idealised diffusion, never below zero.
// Model:   synchronous, multi-port, randomised; each node decides on its own tokens.
// Source:  Berenbrink, Cooper, Friedetzky, Friedrich, Sauerwald 2011 (confirmed in a public text).
// Guarantee: conserves tokens, never negative; expected loads follow the idealised diffusion, and
//          loads stay within 2 (q - 1) / q Psi of it, q = d + 1 (single transfers, rounded).
// Deviations: on irregular networks d is the largest degree and a node has d - degree places of its
//          own besides the one it keeps, so that the uniform distribution stays the fixed point.

#include <algorithm>
#include <span>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/push_rule.hpp"

namespace equipoise::protocols::baselines {

class RandomisedDiffusion {
  public:
    using NodeState = model::Nothing;
    /// Tokens pushed over the link.
    using Proposal = Tokens;
    using Here = model::Surroundings<NodeState>;

    /// `degree_max`: the network's largest degree d.
    explicit RandomisedDiffusion(Port degree_max) : places_(Tokens{degree_max} + 1) {}

    /// floor(x / (d + 1)) to every neighbour; the x mod (d + 1) excess tokens to distinct ones of
    /// the d + 1 places, drawn by sequential selection, which makes all subsets equally likely.
    void propose(const Here& here, std::span<Proposal> out) const {
        const Tokens share = here.load / places_;
        Tokens excess = here.load % places_;
        RandomStream random = here.random();
        for (Port port = 0; port < here.degree(); ++port) {
            const auto places_left = static_cast<std::uint64_t>(places_ - port);
            const bool chosen =
                excess > 0 && random.below(places_left) < static_cast<std::uint64_t>(excess);
            out[port] = share + (chosen ? 1 : 0);
            excess -= chosen ? 1 : 0;
        }
    }

    void accept(const Here& /*here*/, std::span<const Proposal> in, std::span<Tokens> taken) const {
        std::copy(in.begin(), in.end(), taken.begin());
    }

    [[nodiscard]] static Tokens sent(Proposal proposal) { return proposal; }
    static void receive(NodeState& /*own*/, Proposal /*proposal*/, Step /*step*/) {}
    [[nodiscard]] static bool idle(const NodeState& /*own*/, Tokens load, Step /*step*/) {
        return load == 0;
    }

  private:
    Tokens places_;
};

static_assert(model::PushesTokens<RandomisedDiffusion>);

}  // namespace equipoise::protocols::baselines
