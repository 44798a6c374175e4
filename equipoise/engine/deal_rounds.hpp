#pragma once
// Deal rules in synchronous rounds: all propose, all accept, then every link is netted.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/engine/kernels/announced_deals.hpp"
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/engine/kernels/pushed_deals.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/engine/round_play.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/model/local/deal_rule.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// A deal rule at work on a network. A round:
///   1. the environment adds and takes tokens;
///   2. every node proposes over all its ports, on the loads from the round's start;
///   3. every node accepts among the proposals it received, on the same loads;
///   4. a link carries what its one end takes less what its other end takes; loads change;
///   5. `after_step` runs at every node.
/// Every round takes `phases` steps and as many messages over every link each way; one for which
/// the cap on steps has no room is not begun. Nodes are shared out to threads; `Body::reference` is
/// the same on one thread.
///
/// Where the rule announces, on stored networks with equal speeds, no environment and nobody who
/// wants to see transfers, the fast body keeps announcements instead of proposals and answers.
///
/// Where the environment switches nodes and links, a node sees live neighbours only, its ports are
/// its live links in their order, and a node that comes (back) starts as at the run's start.
///
/// Memory: a proposal and 24 bytes for each end of a link; 1 byte (8 where loads or degrees are
/// large) where announcements are kept. The network must outlive it.
template <model::DealRule R, network::AnyGraph N>
class DealRounds : public RoundPlay<R, N> {
  public:
    using typename RoundPlay<R, N>::NodeState;
    using Proposal = typename R::Proposal;
    static constexpr Step phases = model::phases_of<R>();

    /// Throws InputError when loads or speeds do not fit the network, OverflowError when there are
    /// too many tokens.
    DealRounds(const R& rule, load::Loads loads, const N& network, const RoundOptions& options)
        : Play(rule, std::move(loads), network, in_whole_rounds(options, phases), phases) {
        if constexpr (may_announce)
            if (options_.body == Body::fast && !control_.wants_transfers() &&
                options_.environment == nullptr && options_.speeds.empty())
                announced_ = AnnouncedRounds<R>::make(rule_, network_, loads_);
        if (!announced_) number_arcs();
    }

    /// Plays until a stop rule holds.
    [[nodiscard]] RoundOutcome run() {
        return Play::play_until_stopped([&] { round(); });
    }

    /// Plays one round, whatever the stop rules say.
    void round() {
        if (live_) return live_round();
        if constexpr (may_announce)
            if (announced_) return announced_round();
        control_.begin_step(loads_);
        transfers_.clear();
        const Step now = control_.costs().steps;
        if constexpr (model::PushesTokens<R>)
            if (options_.body == Body::fast && !control_.wants_transfers())
                return pushed_round(now);
        each_node([&](NodeId node, View& view) {
            rule_.propose(look(node, now, view), arcs_of<Proposal>(proposals_, node));
        });
        each_node([&](NodeId node, View& view) {
            view.proposals.resize(offsets_[node + 1] - offsets_[node]);
            for (std::size_t port = 0; port < view.proposals.size(); ++port)
                view.proposals[port] = proposals_[reverse_[offsets_[node] + port]];
            rule_.accept(look(node, now, view), view.proposals, arcs_of<Tokens>(taken_, node));
        });
        const StepTotals totals = settle(now);
        control_.end_step(totals, phases, loads_, transfers_);
    }

  private:
    using Play = RoundPlay<R, N>;
    using Play::control_;
    using Play::live_;
    using Play::loads_;
    using Play::network_;
    using Play::node_states_;
    using Play::options_;
    using Play::rule_;
    using Play::speed;
    using Play::transfers_;
    using Play::workers_;

    static constexpr bool may_announce =
        model::AnnouncesDeals<R> && std::same_as<N, network::Network>;

    /// What plays rules whose receivers take all; nothing for others.
    template <class Rule>
    struct PushedBy {
        using Type = model::Nothing;
    };
    template <model::PushesTokens Rule>
    struct PushedBy<Rule> {
        using Type = PushedDeals<Rule, N>;
    };
    using Pushed = typename PushedBy<R>::Type;

    /// What a node sees of its neighbours, by port; working memory of one thread.
    struct View {
        std::vector<Tokens> loads;
        std::vector<Tokens> speeds;
        std::vector<Port> degrees;
        std::vector<Proposal> proposals;
        // Where nodes and links go and come: the live ports, and answers by them.
        std::vector<Port> ports;
        std::vector<Proposal> out;
        std::vector<Tokens> taken;
    };

    template <class T>
    [[nodiscard]] std::span<T> arcs_of(std::vector<T>& by_arc, NodeId node) const {
        return std::span<T>(by_arc).subspan(offsets_[node], offsets_[node + 1] - offsets_[node]);
    }

    /// Numbers the ends of links node by node and pairs the two ends of every link.
    void number_arcs() {
        offsets_.assign(std::size_t{network_.node_count()} + 1, 0);
        for (NodeId node = 0; node < network_.node_count(); ++node)
            offsets_[node + 1] = offsets_[node] + network_.degree(node);
        reverse_.resize(offsets_.back());
        proposals_.resize(offsets_.back());
        taken_.resize(offsets_.back());
        std::vector<std::uint64_t> first_arc(network_.link_count());
        for (NodeId node = 0; node < network_.node_count(); ++node)
            for (Port port = 0; port < network_.degree(node); ++port) {
                const std::uint64_t arc = offsets_[node] + port;
                const LinkId link = network_.link(node, port);
                if (node < network_.neighbour(node, port)) {
                    first_arc[link] = arc;
                } else {
                    reverse_[arc] = first_arc[link];
                    reverse_[first_arc[link]] = arc;
                }
            }
    }

    template <class Visit>
    void each_node(const Visit& visit) {
        for_each_block(workers_, network_.node_count(),
                       [&](std::uint64_t begin, std::uint64_t end) {
                           View view;
                           for (std::uint64_t node = begin; node < end; ++node)
                               visit(static_cast<NodeId>(node), view);
                       });
    }

    [[nodiscard]] model::Surroundings<NodeState> look(NodeId node, Step now, View& view) {
        const Port degree = network_.degree(node);
        view.loads.resize(degree);
        view.degrees.resize(degree);
        if (!options_.speeds.empty()) view.speeds.resize(degree);
        for (Port port = 0; port < degree; ++port) {
            const NodeId other = network_.neighbour(node, port);
            view.loads[port] = loads_[other];
            view.degrees[port] = network_.degree(other);
            if (!options_.speeds.empty()) view.speeds[port] = options_.speeds[other];
        }
        return {loads_[node], speed(node), node_states_[node],
                view.loads,   view.speeds, view.degrees,
                node,         now,         options_.seed};
    }

    /// A round of announcements.
    void announced_round() {
        transfers_.clear();
        StepTotals totals;
        totals.steep = options_.stop.stable_steps.has_value() && any_steep_link();
        totals.exchanges = announced_->play(workers_, loads_);
        totals.messages = 2 * phases * network_.link_count();
        control_.end_step(totals, phases, loads_, transfers_);
    }

    /// A round of a rule whose receivers take all.
    void pushed_round(Step now)
        requires model::PushesTokens<R>
    {
        if (!pushed_) pushed_.emplace(rule_, network_);
        const bool is_steep = options_.stop.stable_steps.has_value() && any_steep_link();
        StepTotals totals =
            pushed_->play(workers_, now, options_.seed, {offsets_, reverse_, proposals_},
                          options_.speeds, loads_, node_states_);
        totals.exchanges /= 2;  // every link was counted at both ends
        totals.messages = 2 * phases * network_.link_count();
        totals.steep = is_steep;
        control_.end_step(totals, phases, loads_, transfers_);
    }

    /// A round on the live part of the network: nodes see, and answer over, live ports only; over
    /// the others nothing is offered and nothing taken.
    void live_round() {
        transfers_.clear();
        for (const NodeId node : control_.begin_step(loads_, *live_, transfers_))
            node_states_[node] = Play::start_state(node);
        const Step now = control_.costs().steps;
        each_node([&](NodeId node, View& view) {
            const std::span<Proposal> out = arcs_of<Proposal>(proposals_, node);
            std::fill(out.begin(), out.end(), Proposal{});
            if (!live_->up(node)) return;
            const auto here = look_live(node, now, view);
            view.out.assign(view.ports.size(), Proposal{});
            rule_.propose(here, view.out);
            for (std::size_t i = 0; i < view.ports.size(); ++i)
                out[view.ports[i]] = view.out[i];
        });
        each_node([&](NodeId node, View& view) {
            const std::span<Tokens> taken = arcs_of<Tokens>(taken_, node);
            std::fill(taken.begin(), taken.end(), Tokens{0});
            if (!live_->up(node)) return;
            const auto here = look_live(node, now, view);
            view.proposals.clear();
            for (const Port port : view.ports)
                view.proposals.push_back(proposals_[reverse_[offsets_[node] + port]]);
            view.taken.assign(view.ports.size(), 0);
            rule_.accept(here, view.proposals, view.taken);
            for (std::size_t i = 0; i < view.ports.size(); ++i)
                taken[view.ports[i]] = view.taken[i];
        });
        const StepTotals totals = settle(now);
        control_.end_step(
            totals, phases, loads_, transfers_,
            control_.observed_after(phases) ? live_->components() : std::span<const NodeId>{});
    }

    [[nodiscard]] model::Surroundings<NodeState> look_live(NodeId node, Step now, View& view) {
        view.ports.clear();
        view.loads.clear();
        view.speeds.clear();
        view.degrees.clear();
        for (Port port = 0; port < network_.degree(node); ++port) {
            const NodeId other = network_.neighbour(node, port);
            if (!live_->live(node, other)) continue;
            view.ports.push_back(port);
            view.loads.push_back(loads_[other]);
            view.degrees.push_back(live_->degree(other));
            if (!options_.speeds.empty()) view.speeds.push_back(options_.speeds[other]);
        }
        return {loads_[node], speed(node), node_states_[node],
                view.loads,   view.speeds, view.degrees,
                node,         now,         options_.seed};
    }

    /// Steps 4 and 5.
    [[nodiscard]] StepTotals settle(Step now) {
        if (control_.wants_transfers()) note_transfers(now);
        const bool is_steep = options_.stop.stable_steps.has_value() && any_steep_link();
        StepTotals totals =
            sum_over_blocks<StepTotals>(workers_, network_.node_count(), network_.node_count(),
                                        [&](std::uint64_t begin, std::uint64_t end) {
                                            StepTotals own;
                                            for (std::uint64_t node = begin; node < end; ++node)
                                                settle(static_cast<NodeId>(node), now, own);
                                            return own;
                                        });
        totals.exchanges /= 2;  // every link was counted at both ends
        totals.messages = 2 * phases * (live_ ? live_->live_link_count() : network_.link_count());
        totals.steep = is_steep;
        return totals;
    }

    void settle(NodeId node, Step now, StepTotals& totals) {
        const Tokens old_load = loads_[node];
        Tokens net = 0;
        for (std::uint64_t arc = offsets_[node]; arc < offsets_[node + 1]; ++arc) {
            const Tokens inflow = taken_[arc] - taken_[reverse_[arc]];
            net += inflow;
            totals.exchanges += static_cast<std::uint64_t>(inflow < 0 ? -inflow : inflow);
        }
        loads_[node] = old_load + net;
        if constexpr (model::NotesLoads<R>) {
            if (live_ && !live_->up(node)) return;
            rule_.after_step(node_states_[node], old_load, loads_[node], {now, options_.seed});
        }
    }

    /// In the order of links.
    void note_transfers(Step now) {
        for (NodeId node = 0; node < network_.node_count(); ++node)
            for (Port port = 0; port < network_.degree(node); ++port) {
                const NodeId other = network_.neighbour(node, port);
                const std::uint64_t arc = offsets_[node] + port;
                const Tokens flow = taken_[reverse_[arc]] - taken_[arc];
                if (other < node || flow == 0) continue;
                transfers_.push_back(model::transfer_of(now, node, other, flow));
            }
    }

    [[nodiscard]] bool any_steep_link() const {
        for (NodeId node = 0; node < network_.node_count(); ++node)
            for (Port port = 0; port < network_.degree(node); ++port) {
                const NodeId other = network_.neighbour(node, port);
                if (other > node && is_steep(loads_[node] - loads_[other]) &&
                    (!live_ || live_->live(node, other)))
                    return true;
            }
        return false;
    }

    std::optional<std::conditional_t<may_announce, AnnouncedRounds<R>, model::Nothing>> announced_;
    // Where rounds are not announced:
    std::vector<std::uint64_t> offsets_;  ///< first arc of every node
    std::vector<std::uint64_t> reverse_;  ///< the arc at the link's other end
    std::vector<Proposal> proposals_;     ///< by the proposer's arc
    std::vector<Tokens> taken_;           ///< by the taker's arc
    std::optional<Pushed> pushed_;
};

}  // namespace equipoise::engine
