#pragma once
// Edge rules over schedules: the plain reference step and the fast bodies that equal it.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/engine/kernels/diffusion_rounds.hpp"
#include "equipoise/engine/kernels/link_step.hpp"
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/engine/kernels/reference_step.hpp"
#include "equipoise/engine/kernels/row_kernel.hpp"
#include "equipoise/engine/live_network.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/engine/round_play.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/model/run/schedule.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::engine {

/// An edge rule at work on a network. The reference step defines what a step is:
///   1. at a round's start the environment adds and takes tokens; the schedule is prepared;
///   2. nodes wake, where the rule says so;
///   3. every active link is evaluated on the loads and states from before the step;
///   4. links keep their new states, ends merge their neighbours' old states, in the order of
///   links;
///   5. nodes may create or remove tokens; the tokens move;
///   6. `after_step` runs once at every node that has an active link.
/// Fast bodies: rows in place (implicit networks), disjoint links in place, and, where links share
/// nodes, all flows first and then a sum per node; diffusion on regular networks gathers every flow
/// at both its ends. All are threaded and bit-identical.
///
/// Where the environment switches nodes and links, only live links are active and degrees count
/// live links; a node that comes (back) starts as at the run's start, and so does the slot of a
/// link that is down. Disjoint links are then played in place on all threads, others by the
/// reference body.
///
/// Memory beyond network, schedule, loads and the rule's states: none for disjoint schedules; where
/// links share nodes 8 bytes a link for flows, a copy of the node states if the rule merges, and 16
/// bytes a link for the nodes' lists unless slots are the network's links. Schedule and network
/// must outlive it.
template <model::EdgeRule R, model::Schedule S, network::AnyGraph N>
class EdgeRounds : public RoundPlay<R, N> {
  public:
    using typename RoundPlay<R, N>::NodeState;
    using LinkState = typename R::LinkState;
    using LinkEnd = model::LinkEnd;

    /// Throws InputError when loads or speeds do not fit the network, OverflowError when there are
    /// too many tokens.
    EdgeRounds(const R& rule, S& schedule, load::Loads loads, const N& network,
               const RoundOptions& options)
        : Play(rule, std::move(loads), network, options,
               std::max<Step>(1, static_cast<Step>(schedule.period()))),
          schedule_(schedule),
          link_states_(keeps_links() ? schedule.slot_count() : 0) {
        start_links();
        if constexpr (gathers)
            if (options_.body == Body::fast && !control_.wants_transfers() &&
                options_.environment == nullptr && options_.speeds.empty())
                diffusion_ = DiffusionRounds::make(
                    network_, rule_.uniform_divisor(network_.degree_max()), loads_);
    }

    /// Plays until a stop rule holds.
    [[nodiscard]] RoundOutcome run() {
        return Play::play_until_stopped([&] { step(); });
    }

    /// Plays one step, whatever the stop rules say.
    void step() {
        if (live_) return live_step();
        control_.begin_step(loads_);
        const Step now = control_.costs().steps;
        prepare(now);
        wake(now);
        transfers_.clear();
        StepTotals totals;
        if (options_.body == Body::reference || control_.wants_transfers())
            totals = listed_step(now, active_links(schedule_, now), false);
        else if (diffusion_)
            totals = diffusion_step();
        else if constexpr (model::RowSchedule<S>)
            totals = row_step(link_step(network_, now));
        else
            totals = schedule_.disjoint() ? fused_step(link_step(network_, now))
                                          : gathered_step(link_step(network_, now));
        control_.end_step(totals, 1, loads_, transfers_);
    }

    [[nodiscard]] const States<LinkState>& link_states() const { return link_states_; }

  private:
    using Play = RoundPlay<R, N>;
    using Play::control_;
    using Play::is_up;
    using Play::live_;
    using Play::loads_;
    using Play::network_;
    using Play::node_info;
    using Play::node_states_;
    using Play::options_;
    using Play::rule_;
    using Play::start_state;
    using Play::transfers_;
    using Play::workers_;

    /// Whether a round may be a gather over the rows of a stored network.
    static constexpr bool gathers =
        model::DividesUniformly<R> && model::LinkSlots<S> && std::same_as<N, network::Network>;

    /// Slots of a schedule that never repeats have no state of their own.
    [[nodiscard]] bool keeps_links() const { return schedule_.period() > 0; }

    void start_links() {
        if constexpr (model::StartsLinks<R>)
            for (Step step = 0; step < schedule_.period(); ++step)
                for (const auto& [ends, slot] : active_links(schedule_, step))
                    link_states_[slot] =
                        rule_.start_link(node_info(ends.tail), node_info(ends.head));
    }

    void prepare(Step now) {
        if constexpr (model::LoadSchedule<S>)
            schedule_.prepare(now, loads_);
        else if constexpr (model::ListSchedule<S>)
            schedule_.prepare(now);
    }

    void wake(Step now) {
        if constexpr (model::WakesNodes<R>) {
            if (!rule_.wakes_all(now)) return;
            for_each_block(workers_, network_.node_count(),
                           [&](std::uint64_t begin, std::uint64_t end) {
                               for (std::uint64_t node = begin; node < end; ++node)
                                   if (is_up(static_cast<NodeId>(node)))
                                       rule_.before_step(node_states_[node], loads_[node],
                                                         {now, options_.seed});
                           });
        }
    }

    /// A rule with all it may touch in a step.
    template <KnowsDegrees D>
    [[nodiscard]] LinkStep<R, D> link_step(const D& degrees, Step now) {
        return {rule_,        degrees,       loads_, options_.speeds, node_states_,
                link_states_, keeps_links(), now,    options_.seed};
    }

    /// A step of listed links, on the live network where there is one.
    [[nodiscard, gnu::cold]] StepTotals listed_step(Step now, std::span<const ActiveLink> active,
                                                    bool in_place) {
        if (!live_ && degrees_.empty() && !model::ReadsOnlyLoadsAndStates<R>)
            for (NodeId node = 0; node < network_.node_count(); ++node)
                degrees_.push_back(network_.degree(node));
        const Degrees degrees{live_ ? live_->degrees() : std::span<const Port>(degrees_)};
        const LinkStep<R, Degrees> at = link_step(degrees, now);
        if (in_place) return disjoint_step(at, workers_, active);
        return reference_step(at, active, control_.wants_transfers() ? &transfers_ : nullptr);
    }

    /// All links at once on a regular network: every flow is computed at both its ends.
    [[nodiscard]] StepTotals diffusion_step() {
        const GatherTotals both_ends = diffusion_->play(workers_, loads_);
        StepTotals totals;
        totals.exchanges = both_ends.flows / 2;
        totals.messages = 2 * network_.link_count();
        totals.steep = both_ends.steep;
        return totals;
    }

    /// A step on the live part of the network.
    [[gnu::cold]] void live_step() {
        transfers_.clear();
        for (const NodeId node : control_.begin_step(loads_, *live_, transfers_))
            node_states_[node] = start_state(node);
        const Step now = control_.costs().steps;
        prepare(now);
        wake(now);
        const bool in_place =
            options_.body == Body::fast && !control_.wants_transfers() && disjoint();
        const StepTotals totals = listed_step(now, live_links(now), in_place);
        control_.end_step(
            totals, 1, loads_, transfers_,
            control_.observed_after(1) ? live_->components() : std::span<const NodeId>{});
    }

    /// The live ones of a step's links. Slots of the others forget what they remembered.
    [[nodiscard, gnu::cold]] std::vector<ActiveLink> live_links(Step step) {
        std::vector<ActiveLink> live;
        for (const ActiveLink& link : active_links(schedule_, step)) {
            const auto [tail, head] = link.ends;
            if (live_->live(tail, head)) {
                live.push_back(link);
            } else if (keeps_links()) {
                link_states_[link.slot] = {};
                if constexpr (model::StartsLinks<R>)
                    link_states_[link.slot] = rule_.start_link(node_info(tail), node_info(head));
            }
        }
        return live;
    }

    [[nodiscard]] bool disjoint() const {
        if constexpr (model::RowSchedule<S>)
            return true;
        else
            return schedule_.disjoint();
    }

    /// Rows of an implicit network, in place.
    [[nodiscard]] StepTotals row_step(const LinkStep<R, N>& at) {
        const std::uint64_t rows = schedule_.row_count(at.step);
        return sum_over_blocks<StepTotals>(
            workers_, rows, network_.node_count() / 2, [&](std::uint64_t begin, std::uint64_t end) {
                StepTotals totals;
                for (std::uint64_t index = begin; index < end; ++index)
                    totals += exchange_row(at, schedule_.row(at.step, index));
                return totals;
            });
    }

    /// Links that share no node, in place.
    [[nodiscard]] StepTotals fused_step(const LinkStep<R, N>& at) {
        const std::span<const Ends> links = schedule_.links(at.step);
        const std::uint64_t slot = schedule_.first_slot(at.step);
        return sum_over_blocks<StepTotals>(
            workers_, links.size(), links.size(), [&](std::uint64_t begin, std::uint64_t end) {
                StepTotals totals;
                for (std::uint64_t i = begin; i < end; ++i)
                    at.exchange(links[i].tail, links[i].head, slot + i, totals);
                return totals;
            });
    }

    /// Links that share nodes: first all flows on the old loads and states, then every node nets
    /// its own.
    [[nodiscard]] StepTotals gathered_step(const LinkStep<R, N>& at) {
        const std::span<const Ends> links = schedule_.links(at.step);
        const std::uint64_t first_slot = schedule_.first_slot(at.step);
        flows_.resize(links.size());
        if (!keeps_links() && States<LinkState>::stored)
            link_states_ = States<LinkState>(links.size());
        const auto slot_of = [&](std::uint64_t i) { return keeps_links() ? first_slot + i : i; };

        StepTotals totals = sum_over_blocks<StepTotals>(
            workers_, links.size(), links.size(), [&](std::uint64_t begin, std::uint64_t end) {
                StepTotals own;
                for (std::uint64_t i = begin; i < end; ++i) {
                    const auto [tail, head] = links[i];
                    LinkState& link = link_states_[slot_of(i)];
                    const auto move = rule_.evaluate(at.end(tail, loads_[tail], node_states_[tail]),
                                                     at.end(head, loads_[head], node_states_[head]),
                                                     link, {at.step, at.seed, first_slot + i});
                    link = move.link;
                    flows_[i] = move.flow;
                    own.move(move.flow);
                    own.messages += 2;
                    own.steep = own.steep || is_steep(loads_[tail] - loads_[head]);
                }
                return own;
            });
        if constexpr (model::MergesStates<R>) old_states_ = node_states_;
        if constexpr (!model::LinkSlots<S>) list_links_of_nodes(links);
        totals += sum_over_blocks<StepTotals>(
            workers_, network_.node_count(), network_.node_count(),
            [&](std::uint64_t begin, std::uint64_t end) {
                StepTotals own;
                for (std::uint64_t node = begin; node < end; ++node)
                    settle(at, static_cast<NodeId>(node), links, slot_of, own);
                return own;
            });
        return totals;
    }

    /// Steps 4 to 6 at one node.
    template <class SlotOf>
    void settle(const LinkStep<R, N>& at, NodeId node, std::span<const Ends> links,
                const SlotOf& slot_of, StepTotals& totals) {
        Tokens net = 0;
        Tokens outflow = 0;
        bool touched = false;
        for_each_link_of(node, [&](std::uint64_t i) {
            const bool is_tail = links[i].tail == node;
            const Tokens inflow = is_tail ? -flows_[i] : flows_[i];
            if constexpr (model::MergesStates<R>)
                rule_.merge(
                    node_states_[node], old_states_[is_tail ? links[i].head : links[i].tail],
                    link_states_[slot_of(i)], is_tail ? LinkEnd::tail : LinkEnd::head, inflow);
            net += inflow;
            outflow += inflow < 0 ? -inflow : 0;
            touched = true;
        });
        if (!touched) return;
        const Tokens old_load = loads_[node];
        const Tokens made = at.create(node_states_[node], old_load, outflow);
        totals.book(made);
        loads_[node] = old_load + net + made;
        if constexpr (model::NotesLoads<R>)
            rule_.after_step(node_states_[node], old_load, loads_[node], at.info());
    }

    /// Calls `visit(i)` for the active links of a node in ascending order of their slots.
    template <class Visit>
    void for_each_link_of(NodeId node, const Visit& visit) const {
        if constexpr (model::LinkSlots<S>) {
            for (Port port = 0; port < network_.degree(node); ++port)
                visit(static_cast<std::uint64_t>(network_.link(node, port)));
        } else {
            for (std::uint64_t i = list_offsets_[node]; i < list_offsets_[node + 1]; ++i)
                visit(lists_[i]);
        }
    }

    /// Sorts the active links by their ends; once only where every step has the same links.
    void list_links_of_nodes(std::span<const Ends> links) {
        if (schedule_.period() == 1 && !list_offsets_.empty()) return;
        list_offsets_.assign(std::size_t{network_.node_count()} + 2, 0);
        for (const auto& [tail, head] : links) {
            ++list_offsets_[tail + 2];
            ++list_offsets_[head + 2];
        }
        for (std::size_t i = 2; i < list_offsets_.size(); ++i)
            list_offsets_[i] += list_offsets_[i - 1];
        lists_.resize(2 * links.size());
        for (std::uint64_t i = 0; i < links.size(); ++i) {
            lists_[list_offsets_[links[i].tail + 1]++] = i;
            lists_[list_offsets_[links[i].head + 1]++] = i;
        }
    }

    S& schedule_;
    States<LinkState> link_states_;
    std::optional<DiffusionRounds> diffusion_;
    std::vector<Port> degrees_;  ///< where links are listed
    // Where links share nodes:
    std::vector<Tokens> flows_;
    States<NodeState> old_states_;
    std::vector<std::uint64_t> list_offsets_;
    std::vector<std::uint64_t> lists_;
};

}  // namespace equipoise::engine
