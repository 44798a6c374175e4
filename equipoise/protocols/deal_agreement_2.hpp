#pragma once
// Single-proposal deal-agreement.
//
// Problem: level indivisible tokens on any network until no two neighbours differ by more than one.
// Model:   synchronous rounds of three phases (proposal, deal, summary), multi-port, deterministic.
// Source:  Dinitz, Dolev, Kumar 2020, Section 2, Algorithms 1 (continuous) and 2 (discrete).
// Guarantee: monotone and anytime; 1-balanced after at most
//          (8nD + 1) ln(nK^2 / 2D^2) + 2nD^2 rounds (Theorem 2) and at most floor(Phi / 2) rounds
//          with a deal, Phi = sum (x - average)^2 <= nK^2 / 4.
// Deviations: in print, line 5 lacks the amount: floor((load(u) - load(v)) / 2). Ties: the proposer
//          takes the first of its least loaded neighbours, the acceptor the first of the largest
//          proposals. Algorithm 1 is this rule on loads in fixed point, so that conservation and
//          monotonicity are exact. With speeds s, loads are compared as x_v / s_v, a deal is the
//          largest whole d that keeps (x_u - d) / s_u >= (x_v + d) / s_v, and the proposer looks at
//          neighbours with d >= 1 only; every deal lowers sum x_v^2 / s_v.

#include <cstddef>
#include <cstdint>
#include <span>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/deal_rule.hpp"

namespace equipoise::protocols {

/// The largest fair deal from a node with load x_u and speed s_u to one with x_v and s_v; 0 if the
/// giver is not enough fuller. With equal speeds floor((x_u - x_v) / 2).
[[nodiscard]] constexpr Tokens fair_deal(Tokens load_from, Tokens speed_from, Tokens load_to,
                                         Tokens speed_to) {
    const Int128 excess = Int128{load_from} * speed_to - Int128{load_to} * speed_from;
    if (excess <= 0) return 0;
    return static_cast<Tokens>(excess / (Int128{speed_from} + speed_to));
}

class DealAgreement2 {
  public:
    using NodeState = model::Nothing;
    /// Tokens offered to the neighbour; 0: no proposal.
    using Proposal = Tokens;
    using Here = model::Surroundings<NodeState>;
    /// Proposal, deal and summary.
    static constexpr Step phases = 3;

    /// Lines 2-5: one proposal to the first of the least loaded neighbours.
    void propose(const Here& here, std::span<Proposal> out) const {
        if (!here.neighbour_speeds.empty()) return propose_by_speed(here, out);
        Port least = 0;
        for (Port port = 0; port < here.degree(); ++port) {
            out[port] = 0;
            if (here.neighbour_loads[port] < here.neighbour_loads[least]) least = port;
        }
        if (here.degree() > 0)
            out[least] = fair_deal(here.load, here.speed, here.neighbour_loads[least],
                                   here.neighbour_speed(least));
    }

    /// Lines 6-9: accepts the first of the largest proposals in full.
    void accept(const Here& here, std::span<const Proposal> in, std::span<Tokens> taken) const {
        Port largest = 0;
        for (Port port = 0; port < here.degree(); ++port) {
            taken[port] = 0;
            if (in[port] > in[largest]) largest = port;
        }
        if (here.degree() > 0) taken[largest] = in[largest];
    }

    [[nodiscard]] static bool announces() { return true; }

    /// Lines 2-5 with equal speeds: the amount, and the port of the neighbour it is offered to.
    template <model::Count Count, class Row>
    [[nodiscard]] static model::Announcement<Count> announce(Count load, Row& neighbour_loads) {
        Count least = load;
        Count port_of_least = 0;
        model::for_each_port(neighbour_loads, [&](std::size_t port) {
            const auto less = neighbour_loads[port] < least;
            least = model::select(less, neighbour_loads[port], least);
            port_of_least = model::select(less, Count{1} << static_cast<int>(port), port_of_least);
        });
        return {(load - least) >> 1, port_of_least};
    }

    /// Lines 6-9.
    template <model::Count Count, class Row>
    static void take(Count /*load*/, const Row& heard, const Row& meant, Row& taken) {
        Count most = 0;
        model::for_each_port(heard, [&](std::size_t port) {
            taken[port] = heard[port] & meant[port];
            most = model::select(taken[port] > most, taken[port], most);
        });
        model::for_each_port(taken, [&](std::size_t port) {
            taken[port] = model::only_if(taken[port] == most, most);
            most -= taken[port];  // the first of the largest only
        });
    }

  private:
    /// With speeds, the emptiest neighbour may be too slow for a whole token while another is not.
    /// Makes one proposal, to the first of the emptiest neighbours with which a deal is possible.
    static void propose_by_speed(const Here& here, std::span<Proposal> out) {
        Port chosen = 0;
        Tokens offer = 0;
        for (Port port = 0; port < here.degree(); ++port) {
            out[port] = 0;
            if (offer > 0 && !emptier(here, port, chosen)) continue;
            const Tokens deal = fair_deal(here.load, here.speed, here.neighbour_loads[port],
                                          here.neighbour_speed(port));
            if (deal == 0) continue;
            chosen = port;
            offer = deal;
        }
        if (offer > 0) out[chosen] = offer;
    }

    /// Whether the neighbour behind `port` has strictly less load for its speed than the other.
    static bool emptier(const Here& here, Port port, Port other) {
        return Int128{here.neighbour_loads[port]} * here.neighbour_speeds[other] <
               Int128{here.neighbour_loads[other]} * here.neighbour_speeds[port];
    }
};

static_assert(model::AnnouncesDeals<DealAgreement2>);

}  // namespace equipoise::protocols
