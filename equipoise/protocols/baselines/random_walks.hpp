#pragma once
// Balancing by random walks: first rounded diffusion, then surplus tokens walk one by one until
// they find a place where tokens are missing.
//
// Problem: every load ends at the floor or the ceiling of the mean (with negative tokens), or at
//          most at the ceiling (without).
// Model:   synchronous, multi-port, randomised; nodes know the mean and the number of rounds of
//          the first phase.
// Source:  Elsaesser, Monien, Schamberger 2006 (with negative tokens); Elsaesser, Sauerwald 2010
//          (without, two thresholds); both reconstructed from the idea.
// Guarantee: load = settled + surplus - holes at every node, settled loads within the thresholds,
//          walkers never grow in number between changes of threshold; all settle with
//          probability 1.
// Deviations: one rule for both sources. A walker also settles where a node still has room below
//          the ceiling (a hole: above the floor), so that the run also ends if the mean is not
//          whole.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/push_rule.hpp"
#include "equipoise/protocols/diffusion.hpp"

namespace equipoise::protocols::baselines {

class RandomWalks {
  public:
    /// A walking hole is a token handed the other way, so a node with many holes can owe tokens.
    static constexpr bool may_owe = true;

    /// What nodes know in advance.
    struct Plan {
        Step diffusion_rounds = 0;    ///< rounds of the first phase
        Tokens mean_floor = 0;        ///< tokens
        Tokens mean_ceiling = 0;      ///< tokens
        bool negative_tokens = true;  ///< whether nodes below the floor send holes
        /// Slack of the first pair of thresholds, ceiling + slack and floor - slack, which hold for
        /// another `diffusion_rounds` rounds before the second pair, ceiling and floor.
        Tokens slack = 0;
    };

    struct NodeState {
        Tokens surplus = 0;  ///< tokens that walk
        Tokens holes = 0;    ///< negative tokens that walk
        friend bool operator==(const NodeState&, const NodeState&) = default;
    };
    struct Proposal {
        Tokens surplus = 0;
        Tokens holes = 0;
    };
    using Here = model::Surroundings<NodeState>;

    explicit RandomWalks(const Plan& plan) : plan_(plan) {
        EQUIPOISE_ASSERT(plan.mean_floor <= plan.mean_ceiling && plan.slack >= 0);
    }

    [[nodiscard]] NodeState start_node(model::NodeInfo info) const {
        NodeState state;
        settle(state, info.load, 0);
        return state;
    }

    void propose(const Here& here, std::span<Proposal> out) const {
        std::fill(out.begin(), out.end(), Proposal{});
        if (here.step < plan_.diffusion_rounds) {
            for (Port port = 0; port < here.degree(); ++port)
                out[port].surplus = std::max<Tokens>(0, here.load - here.neighbour_loads[port]) /
                                    metropolis_divisor(here.degree(), here.neighbour_degrees[port]);
            return;
        }
        RandomStream random = here.random();
        here.state.surplus -= walk(here, here.state.surplus, random, out, &Proposal::surplus);
        here.state.holes -= walk(here, here.state.holes, random, out, &Proposal::holes);
    }

    void accept(const Here& here, std::span<const Proposal> in, std::span<Tokens> taken) const {
        for (Port port = 0; port < here.degree(); ++port) {
            taken[port] = sent(in[port]);
            receive(here.state, in[port], here.step);
        }
    }

    [[nodiscard]] static Tokens sent(const Proposal& proposal) {
        return proposal.surplus - proposal.holes;
    }
    void receive(NodeState& own, const Proposal& proposal, Step step) const {
        if (step < plan_.diffusion_rounds) return;
        own.surplus += proposal.surplus;
        own.holes += proposal.holes;
    }
    /// A node without walkers does nothing, except when thresholds change: then every node checks
    /// them.
    [[nodiscard]] bool idle(const NodeState& own, Tokens /*load*/, Step step) const {
        return step >= plan_.diffusion_rounds && step + 1 != second_thresholds_from() &&
               own.surplus == 0 && own.holes == 0;
    }

    void after_step(NodeState& state, Tokens /*old_load*/, Tokens new_load,
                    model::StepInfo at) const {
        settle(state, new_load, at.step + 1);
    }

    [[nodiscard]] bool checks_finished(Step done) const { return done >= second_thresholds_from(); }
    [[nodiscard]] static bool finished(const NodeState& state) {
        return state.surplus == 0 && state.holes == 0;
    }

  private:
    [[nodiscard]] Step second_thresholds_from() const {
        return plan_.slack == 0 ? plan_.diffusion_rounds : 2 * plan_.diffusion_rounds;
    }

    /// Walkers of both kinds that meet cancel. Tokens above the upper threshold walk; walkers that
    /// find room below it settle. The same holds for holes at the lower threshold.
    void settle(NodeState& state, Tokens load, Step next) const {
        if (next < plan_.diffusion_rounds) return;
        const Tokens slack = next < second_thresholds_from() ? plan_.slack : 0;
        const Tokens most = plan_.mean_ceiling + slack;
        const Tokens least = plan_.negative_tokens ? plan_.mean_floor - slack
                                                   : std::numeric_limits<Tokens>::min() / 2;
        const Tokens met = std::min(state.surplus, state.holes);
        state.surplus -= met;
        state.holes -= met;
        // settled = load - surplus + holes
        state.surplus = std::max<Tokens>(0, load + state.holes - most);
        state.holes = std::max<Tokens>(0, least - load + state.surplus);
    }

    /// Every walker leaves through a port with probability 1 / q of its link, or stays. Returns how
    /// many have left.
    static Tokens walk(const Here& here, Tokens walkers, RandomStream& random,
                       std::span<Proposal> out, Tokens Proposal::*kind) {
        const std::uint64_t places = std::uint64_t{here.degree()} + 1;
        Tokens left = 0;
        for (Tokens walker = 0; walker < walkers; ++walker) {
            const auto port = static_cast<Port>(random.below(places));
            if (port == here.degree()) continue;
            const Tokens divisor = metropolis_divisor(here.degree(), here.neighbour_degrees[port]);
            if (random.below(static_cast<std::uint64_t>(divisor)) >= places) continue;
            ++(out[port].*kind);
            ++left;
        }
        return left;
    }

    Plan plan_;
};

static_assert(model::PushesTokens<RandomWalks>);

}  // namespace equipoise::protocols::baselines
