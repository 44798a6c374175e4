#pragma once
// Distributed-proposal deal-agreement: a node pours tokens over all its emptier neighbours at once.
//
// Problem: level indivisible tokens on any network until no two neighbours differ by more than one.
// Model:   synchronous rounds of two phases (proposal, deal), multi-port, deterministic.
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
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/deal_rule.hpp"

namespace equipoise::protocols {

/// What a node may do with the proposals it received.
enum class Acceptance : std::uint8_t { residual_drain, minimal_repair, as_printed };

/// `prop(i)` and `TentativeLoad` of Algorithm 3: what is offered, and what the proposer would hold
/// if every one of its offers were taken.
struct PouredProposal {
    Tokens amount = 0;
    Tokens tentative_load = 0;
};

/// Lines 5-19: the water fill. `less` are the loads of emptier neighbours in ascending order;
/// `amounts` receives what each is offered. Returns the tentative load. Cost O(less).
[[nodiscard]] inline Tokens pour(Tokens load, std::span<const Tokens> less,
                                 std::span<Tokens> amounts) {
    Tokens sum = load;
    Tokens filled = 0;  // neighbours below the water level
    const auto count = static_cast<Tokens>(less.size());
    while (filled < count && sum / (filled + 1) >= less[static_cast<std::size_t>(filled)])
        sum += less[static_cast<std::size_t>(filled++)];
    const Tokens level = sum / (filled + 1);
    const Tokens remainder = sum % (filled + 1);
    // One extra token stays with the proposer, the others go to the first neighbours.
    for (Tokens i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        amounts[at] = i < filled ? level - less[at] + (i < remainder - 1 ? 1 : 0) : 0;
    }
    return level + (remainder > 0 ? 1 : 0);
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

    /// The printed acceptance looks at neighbours' loads once more.
    [[nodiscard]] bool announces() const { return acceptance_ != Acceptance::as_printed; }

    /// `pour`: the tentative load, and the ports of neighbours that are filled up to it; others
    /// with less are filled up to one below. A neighbour is filled exactly when the mean of the own
    /// load and of those before it is not below its own.
    template <model::Count Count, class Row>
    [[nodiscard]] static model::Announcement<Count> announce(Count load, Row& neighbour_loads) {
        // Loads with their ports in the low bits, as a number or, of four nodes at once, as a bit.
        constexpr bool many = model::nodes_of<Count> > 1;
        constexpr int port_bits = many ? 8 : 6;
        static_assert((many ? model::announced_ports_max_in_lanes
                            : std::bit_width(model::announced_ports_max - 1)) == port_bits);
        const auto whole = [](std::size_t number) { return Count(static_cast<int>(number)); };
        model::for_each_port(neighbour_loads, [&](std::size_t port) {
            neighbour_loads[port] =
                (neighbour_loads[port] << port_bits) + whole(many ? std::size_t{1} << port : port);
        });
        Row& ascending = neighbour_loads;
        sort_ascending(ascending);

        Count before = load;
        Count sum = load;
        Count parts = 1;
        model::for_each_port(ascending, [&](std::size_t i) {
            const Count less = ascending[i] >> port_bits;
            const auto filled = before >= less * whole(i + 1);
            before += less;
            sum += model::only_if(filled, less);
            parts += model::only_if(filled, Count{1});
        });
        const Count level = model::divide(sum, parts);
        const Count remainder = sum - level * parts;
        Count ports = model::only_if(remainder == Count{0}, Count{-1});
        model::for_each_port(ascending, [&](std::size_t i) {
            Count bit = ascending[i] & whole((1U << port_bits) - 1);
            if constexpr (!many) bit = Count{1} << bit;
            ports |= model::only_if(remainder > whole(i + 1), bit);
        });
        return {level + model::only_if(remainder > Count{0}, Count{1}), ports};
    }

    template <model::Count Count, class Row>
    void take(Count load, const Row& heard, const Row& meant, Row& taken) const {
        if (acceptance_ == Acceptance::residual_drain)
            drain_poured(load, heard, meant, taken);
        else
            accept_poured_in_order(load, heard, meant, taken);
    }

  private:
    /// Working memory of one call, kept between calls.
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

    /// Eight counts by Batcher's odd-even merges.
    template <class Count>
    static void sort_ascending(std::array<Count, 8>& counts) {
        constexpr std::array<std::array<std::size_t, 2>, 19> exchanges = {{{0, 1},
                                                                           {2, 3},
                                                                           {4, 5},
                                                                           {6, 7},
                                                                           {0, 2},
                                                                           {1, 3},
                                                                           {4, 6},
                                                                           {5, 7},
                                                                           {1, 2},
                                                                           {5, 6},
                                                                           {0, 4},
                                                                           {1, 5},
                                                                           {2, 6},
                                                                           {3, 7},
                                                                           {2, 4},
                                                                           {3, 5},
                                                                           {1, 2},
                                                                           {3, 4},
                                                                           {5, 6}}};
        model::for_each_port(exchanges, [&](std::size_t i) {
            const auto [a, b] = exchanges[i];
            const Count difference = counts[a] - counts[b];
            const Count excess = model::only_if(difference > Count{0}, difference);
            counts[a] -= excess;
            counts[b] += excess;
        });
    }
    static void sort_ascending(std::span<Tokens>& counts) {
        std::sort(counts.begin(), counts.end());
    }

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

    /// Take units from the largest residual until it is less than two above the own load: drain all
    /// to m* = min{m : load + S(m) <= m}, then single units from residuals of exactly m*.
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

    /// `drain` of offers that were poured. None of them is used up above m*, since one taken whole
    /// fills its taker to the tentative load or to one below. So m* is the mean, rounded up, of the
    /// own load and of all residuals from m* on; it is found from below.
    template <model::Count Count, class Row>
    static void drain_poured(Count load, const Row& tentative_loads, const Row& full, Row& taken) {
        Row& residuals = taken;  // -1: no offer
        Count parts = 1;
        Count sum = load;
        model::for_each_port(taken, [&](std::size_t port) {
            const auto is_offer = tentative_loads[port] > load;
            const Count amount = tentative_loads[port] - load - Count{1} - full[port];
            const Count residual = model::only_if(is_offer, tentative_loads[port] + amount);
            const Count one = model::only_if(is_offer, Count{1});
            parts += one;
            sum += residual;
            residuals[port] = residual + one - Count{1};
        });
        Count level = model::divide(sum + parts - Count{1}, parts);
        for (bool settled = false; !settled;) {
            const Count before = parts;
            parts = 1;
            sum = load;
            model::for_each_port(residuals, [&](std::size_t port) {
                const auto drains = residuals[port] >= level;
                parts += model::only_if(drains, Count{1});
                sum += model::only_if(drains, residuals[port]);
            });
            settled = !model::any(before > parts);
            level = model::divide(sum + parts - Count{1}, parts);
        }
        Count extra = level * parts - sum - Count{1};
        model::for_each_port(residuals, [&](std::size_t port) {
            const Count over = residuals[port] - level;
            const Count more = model::only_if(tentative_loads[port] < level,
                                              model::only_if(extra > Count{0}, Count{1}));
            const Count one_more = model::only_if(over >= Count{0}, more);
            extra -= one_more;
            taken[port] = model::only_if(over > Count{0}, over) + one_more;
        });
    }

    template <model::Count Count, class Row>
    static void accept_poured_in_order(Count load, const Row& tentative_loads, const Row& full,
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
                accept_poured_in_order(Tokens{model::number_in(load, lane)}, rows[0], rows[1],
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
