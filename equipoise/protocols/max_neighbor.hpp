#pragma once
// Max neighbor: in every round a coin makes each node a proposer or an acceptor, and pairs that
// differ most share evenly.
//
// Problem: level tokens on networks that may change from round to round, with one partner a round.
// Model:   synchronous, single-port, randomised; a node knows its neighbours' loads.
// Source:  Dinitz, Fineman, Gilbert, Newport 2017 (rule reconstructed from the abstract).
// Guarantee: the largest load never rises and the smallest never falls; a round in which some link
//          joins loads that differ by D >= 2 lowers sum x^2 by floor(D^2 / 2) or more with
//          probability at least 1/4, on any network: the expected number of such rounds is at most
//          2 sum (x - mean)^2.
// Deviations: loads are whole. A fair coin of the proposer decides which end gets an odd token,
//          also between loads that differ by 1: otherwise no token would ever move towards low
//          loads farther away.

#include <algorithm>
#include <cstddef>
#include <span>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/deal_rule.hpp"

namespace equipoise::protocols {

class MaxNeighbor {
  public:
    using NodeState = model::Nothing;
    struct Proposal {
        bool asks = false;
        bool takes_odd = false;  ///< whether an odd token falls to the proposer
    };
    using Here = model::Surroundings<NodeState>;

    /// A proposer asks the first of the neighbours whose loads differ most from its own, unless
    /// they all equal it.
    void propose(const Here& here, std::span<Proposal> out) const {
        std::fill(out.begin(), out.end(), Proposal{});
        RandomStream random = here.random();
        if (!random.coin() || here.degree() == 0) return;
        Port most = 0;
        for (Port port = 1; port < here.degree(); ++port)
            if (difference(here, port) > difference(here, most)) most = port;
        if (difference(here, most) > 0) out[most] = {true, random.coin()};
    }

    /// An acceptor shares evenly with the first of the proposers whose loads differ most from its
    /// own.
    void accept(const Here& here, std::span<const Proposal> in, std::span<Tokens> taken) const {
        std::fill(taken.begin(), taken.end(), Tokens{0});
        if (here.random().coin()) return;
        std::size_t chosen = in.size();
        for (std::size_t port = 0; port < in.size(); ++port)
            if (in[port].asks &&
                (chosen == in.size() || difference(here, port) > difference(here, chosen)))
                chosen = port;
        if (chosen == in.size()) return;
        const Tokens sum = here.load + here.neighbour_loads[chosen];
        const Tokens half = floor_divide(sum, 2);
        taken[chosen] = (in[chosen].takes_odd ? half : sum - half) - here.load;
    }

  private:
    [[nodiscard]] static Tokens difference(const Here& here, std::size_t port) {
        const Tokens excess = here.load - here.neighbour_loads[port];
        return excess < 0 ? -excess : excess;
    }
};

static_assert(model::DealRule<MaxNeighbor>);

}  // namespace equipoise::protocols
