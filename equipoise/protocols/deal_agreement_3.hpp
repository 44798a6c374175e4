#pragma once
// Distributed-proposal deal-agreement: a node pours tokens over all its emptier neighbours at once.
//
// Problem: level indivisible tokens on any network until no two neighbours differ by more than one.
// Model:   synchronous rounds of three phases (proposal, deal, summary), multi-port, deterministic.
// Source:  Dinitz, Dolev, Kumar 2020, Section 3, Algorithm 3.
// Guarantee: monotone and anytime; 1-balanced after at most floor(Phi / 2) <= nK^2 / 8 rounds with
//          a deal, Phi = sum (x - average)^2 (Theorem 3, with the repair).
// Deviations: the printed acceptance lets the potential rise and, with integer division in line 25,
//          never ends on some stars. `residual_drain` (default) takes one unit at a time from the
//          proposer whose remaining load is largest, while it stays above the acceptor's by two;
//          `minimal_repair` keeps Algorithm 4's test, proposals in order of decreasing tentative
//          load. Both keep acceptor <= giver after every deal. `as_printed` shares units round
//          robin and is for demonstration. Unit loops are replaced by closed forms.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/deal_rule.hpp"
#include "equipoise/model/local/water.hpp"
#include "equipoise/protocols/announced_water.hpp"

namespace equipoise::protocols {

/// How a node accepts among the proposals it received.
enum class Acceptance : std::uint8_t { residual_drain, minimal_repair, as_printed };

/// `prop(i)` and `TentativeLoad` of Algorithm 3: the number of tokens offered, and what the
/// proposer would hold if all its offers were taken.
struct PouredProposal {
    Tokens amount = 0;
    Tokens tentative_load = 0;
};

/// Lines 5-19: the water fill. `less` are the loads of emptier neighbours in ascending order;
/// `amounts` receives the offer to each. Returns the tentative load.
[[nodiscard]] inline Tokens pour(Tokens load, std::span<const Tokens> less,
                                 std::span<Tokens> amounts) {
    const model::Water water = model::find_water(load, [&](const auto& visit) {
        for (const Tokens neighbour : less)
            visit(neighbour);
    });
    std::fill(amounts.begin(), amounts.end(), Tokens{0});
    model::pour(
        water,
        [&](const auto& visit) {
            for (std::size_t i = 0; i < less.size(); ++i)
                visit(i, less[i]);
        },
        [&](std::size_t i, Tokens amount) { amounts[i] = amount; });
    return water.left();
}

class DealAgreement3 {
  public:
    using NodeState = model::Nothing;
    using Proposal = PouredProposal;
    using Here = model::Surroundings<NodeState>;
    /// Proposal, deal and summary.
    static constexpr Step phases = 3;

    explicit DealAgreement3(Acceptance acceptance = Acceptance::residual_drain)
        : acceptance_(acceptance) {}

    void propose(const Here& here, std::span<Proposal> out) const {
        Scratch& scratch = Scratch::of_this_thread();
        scratch.sort_ports(here, [&](Port port) { return here.neighbour_loads[port] < here.load; });
        const Tokens tentative = pour(here.load, scratch.loads, scratch.amounts);
        std::fill(out.begin(), out.end(), Proposal{0, tentative});
        for (std::size_t i = 0; i < scratch.ports.size(); ++i)
            out[scratch.ports[i]].amount = scratch.amounts[i];
    }

    void accept(const Here& here, std::span<const Proposal> in, std::span<Tokens> taken) const {
        std::fill(taken.begin(), taken.end(), Tokens{0});
        switch (acceptance_) {
            case Acceptance::residual_drain:
                return drain(here.load, in, taken);
            case Acceptance::minimal_repair:
                return accept_in_order(here.load, in, taken);
            case Acceptance::as_printed:
                return accept_round_robin(here, in, taken);
        }
    }

    /// The printed acceptance also looks at neighbours' loads.
    [[nodiscard]] bool announces() const { return acceptance_ != Acceptance::as_printed; }

    /// `propose`, for all neighbours at once (announced_water.hpp).
    template <model::Count Count, class Row>
    [[nodiscard]] static model::Announcement<Count> announce(Count load, Row& neighbour_loads) {
        return announce_pour(load, neighbour_loads);
    }
    /// `accept` for announcements (announced_water.hpp).
    template <model::Count Count, class Row>
    void take(Count load, const Row& heard, const Row& meant, Row& taken) const {
        if (acceptance_ == Acceptance::residual_drain)
            drain_announced(load, heard, meant, taken);
        else
            accept_announced_in_order(load, heard, meant, taken);
    }

  private:
    /// Working memory of a call, kept between calls.
    struct Scratch {
        std::vector<Port> ports;
        std::vector<Tokens> loads;
        std::vector<Tokens> amounts;
        std::vector<Proposal> offers;

        static Scratch& of_this_thread() {
            thread_local Scratch scratch;
            return scratch;
        }
        /// The ports that pass, in (load, number) order, with their loads.
        template <class Passes>
        void sort_ports(const Here& here, Passes passes) {
            ports.clear();
            for (Port port = 0; port < here.degree(); ++port)
                if (passes(port)) ports.push_back(port);
            std::sort(ports.begin(), ports.end(), [&](Port a, Port b) {
                const Tokens x = here.neighbour_loads[a];
                const Tokens y = here.neighbour_loads[b];
                return x != y ? x < y : a < b;
            });
            loads.resize(ports.size());
            amounts.resize(ports.size());
            for (std::size_t i = 0; i < ports.size(); ++i)
                loads[i] = here.neighbour_loads[ports[i]];
        }
    };

    /// What a proposer still holds if it keeps everything it has not yet given: R = TL + prop.
    static Tokens residual(const Proposal& proposal) {
        return proposal.tentative_load + proposal.amount;
    }

    /// S(m): units taken when every proposer is drained to a residual of at most m.
    static Tokens drained_to(Tokens level, std::span<const Proposal> in) {
        Tokens sum = 0;
        for (const Proposal& proposal : in)
            sum += std::clamp<Tokens>(residual(proposal) - level, 0, proposal.amount);
        return sum;
    }

    /// Takes units from the largest residual until it is less than two above the node's own load:
    /// drains all to m* = min{m : load + S(m) <= m}, then takes single units from residuals of
    /// exactly m*.
    static void drain(Tokens load, std::span<const Proposal> in, std::span<Tokens> taken) {
        Tokens high = load;  // load + S(high) <= high holds at the largest residual
        for (const Proposal& proposal : in)
            if (proposal.amount > 0) high = std::max(high, residual(proposal));
        if (high == load) return;
        Tokens low = load - 1;  // fails: load + S(m) >= load > m
        while (high - low > 1) {
            const Tokens middle = low + (high - low) / 2;
            (load + drained_to(middle, in) <= middle ? high : low) = middle;
        }
        const Tokens level = high;
        Tokens extra = std::max<Tokens>(0, level - 1 - load - drained_to(level, in));
        for (std::size_t port = 0; port < in.size(); ++port) {
            const Tokens over = residual(in[port]) - level;
            taken[port] = std::clamp<Tokens>(over, 0, in[port].amount);
            if (extra > 0 && over >= 0 && over < in[port].amount) {
                ++taken[port];
                --extra;
            }
        }
    }

    /// `accept_in_order` for announcements, one node after the other.
    template <model::Count Count, class Row>
    static void accept_announced_in_order(Count load, const Row& tentative_loads, const Row& full,
                                          Row& taken) {
        if constexpr (model::nodes_of<Count> > 1) {
            constexpr std::size_t degree = std::tuple_size_v<Row>;
            std::array<std::array<Tokens, degree>, 3> numbers = {};
            std::array<std::span<Tokens>, 3> rows = {numbers[0], numbers[1], numbers[2]};
            for (std::size_t lane = 0; lane < model::nodes_of<Count>; ++lane) {
                for (std::size_t port = 0; port < degree; ++port) {
                    rows[0][port] = model::number_in(tentative_loads[port], lane);
                    rows[1][port] = model::number_in(full[port], lane);
                }
                accept_announced_in_order(Tokens{model::number_in(load, lane)}, rows[0], rows[1],
                                          rows[2]);
                for (std::size_t port = 0; port < degree; ++port) {
                    const auto number = static_cast<typename Count::Number>(rows[2][port]);
                    taken[port] = model::with_number(taken[port], lane, number);
                }
            }
        } else {
            std::vector<Proposal>& offers = Scratch::of_this_thread().offers;
            offers.assign(taken.size(), {});
            for (std::size_t port = 0; port < taken.size(); ++port)
                if (tentative_loads[port] > load)
                    offers[port] = {tentative_loads[port] - load - 1 - full[port],
                                    tentative_loads[port]};
            std::fill(taken.begin(), taken.end(), Count{0});
            accept_in_order(load, offers, taken);
        }
    }

    /// Algorithm 4's test, one proposal after the other in order of decreasing tentative load.
    static void accept_in_order(Tokens load, std::span<const Proposal> in,
                                std::span<Tokens> taken) {
        std::vector<Port>& order = Scratch::of_this_thread().ports;
        order.clear();
        for (Port port = 0; port < in.size(); ++port)
            if (in[port].amount > 0) order.push_back(port);
        std::stable_sort(order.begin(), order.end(), [&](Port a, Port b) {
            return in[a].tentative_load > in[b].tentative_load;
        });
        Tokens held = load;
        for (const Port port : order) {
            const Tokens deal = std::min(in[port].amount, in[port].tentative_load - held);
            if (deal <= 0) continue;
            taken[port] = deal;
            held += deal;
        }
    }

    /// Lines 20-29 as printed: MaxLoad - load - 1 units, one each in turn, fullest neighbour first.
    static void accept_round_robin(const Here& here, std::span<const Proposal> in,
                                   std::span<Tokens> taken) {
        Scratch& scratch = Scratch::of_this_thread();
        scratch.sort_ports(here, [&](Port port) { return here.neighbour_loads[port] > here.load; });
        if (scratch.ports.empty()) return;
        Tokens to_receive = scratch.loads.back() - here.load - 1;
        bool progress = true;
        while (progress && to_receive > 0) {
            progress = false;
            for (std::size_t i = scratch.ports.size(); i-- > 0 && to_receive > 0;) {
                const Port port = scratch.ports[i];
                if (taken[port] == in[port].amount) continue;
                ++taken[port];
                --to_receive;
                progress = true;
            }
        }
    }

    Acceptance acceptance_;
};

static_assert(model::AnnouncesDeals<DealAgreement3>);

}  // namespace equipoise::protocols
