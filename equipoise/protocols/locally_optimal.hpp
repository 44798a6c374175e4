#pragma once
// Locally optimal balancing by single tokens.
//
// Problem: level indivisible tokens on any network until no two neighbours differ by more than one.
// Model:   synchronous rounds of three phases (proposal, deal, summary); a node sends at most one
//          token and takes at most one in a round; deterministic.
// Source:  goal of Feuilloley, Hirvonen, Suomela 2015; the rule is this library's own, since only
//          the abstract of theirs was seen (it promises O(L) rounds on paths, loads at most L).
// Guarantee: ends exactly when no two neighbours differ by more than one; every round with a deal
//          lowers the sum of squared loads by at least 2, so there are at most Phi / 2 of them,
//          Phi = sum (x - average)^2; the largest load never rises, the smallest never falls.
// Deviations: ties: the emptiest neighbour and the fullest proposer with the lowest port.

#include <cstdint>
#include <span>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/deal_rule.hpp"

namespace equipoise::protocols {

class LocallyOptimal {
  public:
    using NodeState = model::Nothing;
    /// The token offered to the neighbour: 1, or 0 where there is none.
    using Proposal = std::int8_t;
    using Here = model::Surroundings<NodeState>;
    /// Proposal, deal and summary.
    static constexpr Step phases = 3;

    /// One token for the emptiest neighbour, if it holds at least two less.
    void propose(const Here& here, std::span<Proposal> out) const {
        Port emptiest = 0;
        for (Port port = 0; port < here.degree(); ++port) {
            out[port] = 0;
            if (here.neighbour_loads[port] < here.neighbour_loads[emptiest]) emptiest = port;
        }
        if (here.degree() > 0 && here.neighbour_loads[emptiest] <= here.load - 2) out[emptiest] = 1;
    }

    /// Takes the token of the fullest proposer.
    void accept(const Here& here, std::span<const Proposal> in, std::span<Tokens> taken) const {
        Port fullest = here.degree();
        for (Port port = 0; port < here.degree(); ++port) {
            taken[port] = 0;
            if (in[port] == 0) continue;
            if (fullest == here.degree() ||
                here.neighbour_loads[port] > here.neighbour_loads[fullest])
                fullest = port;
        }
        if (fullest < here.degree()) taken[fullest] = 1;
    }
};

static_assert(model::DealRule<LocallyOptimal>);

}  // namespace equipoise::protocols
