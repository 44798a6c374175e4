#pragma once
// Draft: surplus tokens and holes walk at random and cancel where they meet.

#include <algorithm>
#include <span>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/deal_rule.hpp"

namespace equipoise::contract_drafts {

// Problem: every load ends between floor and ceil of the mean.
// Model: synchronous, multi-port, randomised; a hole that walks is a token handed the other way.
// Source: Elsaesser, Monien, Schamberger 2006, second phase (rule reconstructed).
// Guarantee: load = settled + surplus - holes at every node and round, settled within
//   [floor, ceil]; walkers never grow in number.
class RandomWalks {
  public:
    static constexpr bool may_owe = true;

    struct NodeState {
        Tokens surplus = 0;  ///< tokens that walk
        Tokens holes = 0;    ///< negative tokens that walk
    };
    struct Proposal {
        Tokens surplus = 0;
        Tokens holes = 0;
    };
    using Here = model::Surroundings<NodeState>;

    RandomWalks(Tokens floor, Tokens ceil) : floor_(floor), ceil_(ceil) {}

    void propose(const Here& here, std::span<Proposal> out) const {
        if (here.step == 0) {
            here.state.surplus = std::max<Tokens>(0, here.load - ceil_);
            here.state.holes = std::max<Tokens>(0, floor_ - here.load);
        }
        RandomStream random = here.random();
        here.state.surplus -= walk(here, here.state.surplus, random, out, &Proposal::surplus);
        here.state.holes -= walk(here, here.state.holes, random, out, &Proposal::holes);
    }
    void accept(const Here& here, std::span<const Proposal> in, std::span<Tokens> taken) const {
        for (Port port = 0; port < in.size(); ++port) {
            here.state.surplus += in[port].surplus;
            here.state.holes += in[port].holes;
            taken[port] = in[port].surplus - in[port].holes;
        }
        const Tokens meet = std::min(here.state.surplus, here.state.holes);
        here.state.surplus -= meet;
        here.state.holes -= meet;
    }

  private:
    /// Every walker stays, or leaves through a port with probability 1/q. Returns how many left.
    static Tokens walk(const Here& here, Tokens walkers, RandomStream& random,
                       std::span<Proposal> out, Tokens Proposal::*kind) {
        Tokens left = 0;
        for (Tokens walker = 0; walker < walkers; ++walker) {
            double place = random.unit();
            for (Port port = 0; port < here.degree(); ++port) {
                place -= 1.0 / (std::max(here.degree(), here.neighbour_degrees[port]) + 1.0);
                if (place < 0) {
                    ++(out[port].*kind);
                    ++left;
                    break;
                }
            }
        }
        return left;
    }

    Tokens floor_;
    Tokens ceil_;
};

static_assert(model::DealRule<RandomWalks> && model::MayOwe<RandomWalks>);

}  // namespace equipoise::contract_drafts
