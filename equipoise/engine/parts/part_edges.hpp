#pragma once
// Edge rules across ranks: one exchange of loads and states a step, under way while the links
// within the rank's share are worked on.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/engine/kernels/link_step.hpp"
#include "equipoise/engine/kernels/reference_step.hpp"
#include "equipoise/engine/kernels/row_kernel.hpp"
#include "equipoise/engine/parts/part_play.hpp"
#include "equipoise/engine/parts/part_schedule.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::engine {

/// The course of a step, whatever the rule. A link whose ends lie on two ranks is evaluated at
/// both, from the same loads and states and with the same random words, so only these travel, and
/// only those of nodes with an active link to the other rank. Each rank keeps the states of the
/// links that touch its nodes.
/// Memory: 32 bytes a row of slots whose links touch own nodes (on grids a row is a line or a part
/// of one, elsewhere mostly one link), where the schedule repeats; where it never does, those of
/// one step. A schedule that looks at loads costs a gather of all loads to all ranks a step.
class EdgeParts : public PartPlay {
  protected:
    EdgeParts(Part part, std::span<const Tokens> own_loads, PartSchedule schedule,
              const RoundOptions& options, bool may_owe);

    void start() final;
    [[nodiscard]] StepTotals play(Step now) final;
    [[nodiscard]] Step step_length() const final { return 1; }
    [[nodiscard]] std::uint64_t ends_counted() const final { return 1; }

    /// Slots of a schedule that never repeats have no state of their own.
    [[nodiscard]] bool keeps_links() const { return schedule_.period > 0; }
    [[nodiscard]] std::uint64_t seed() const { return options_.seed; }
    [[nodiscard]] bool disjoint() const { return schedule_.disjoint; }

    virtual void start_nodes(std::uint64_t link_states) = 0;
    [[nodiscard]] virtual bool starts_links() const = 0;
    virtual void start_links(std::span<const PartRow> rows) = 0;
    virtual void wake(Step now) = 0;
    /// Evaluates links on the loads and states from before the step. `inner`: both ends of all are
    /// own nodes.
    virtual void exchange(std::span<const PartRow> rows, bool inner, Step now,
                          StepTotals& totals) = 0;
    /// Ends the step at the own nodes that have an active link.
    virtual void settle(Step now, StepTotals& totals) = 0;

    void note(const PartLink& link, Tokens flow, Step now) {
        if (flow == 0) return;
        transfers_.push_back({link.slot, model::transfer_of(now, part_.global(link.tail),
                                                            part_.global(link.head), flow)});
    }

  private:
    PartSchedule schedule_;
    std::vector<StepPlan> plans_;  ///< by step of the period
    StepPlan passing_;             ///< of the step at hand, where none repeats
};

/// The same for one rule.
template <model::EdgeRule R>
class PartEdges final : public EdgeParts {
  public:
    using NodeState = typename R::NodeState;
    using LinkState = typename R::LinkState;
    static_assert(std::is_trivially_copyable_v<NodeState>, "states travel as bytes");

    /// `own_loads`: of the part's own nodes.
    PartEdges(const R& rule, PartSchedule schedule, Part part, std::span<const Tokens> own_loads,
              const RoundOptions& options)
        : EdgeParts(std::move(part), own_loads, std::move(schedule), options, model::MayOwe<R>),
          rule_(rule) {}

  private:
    /// Whether all that comes to a node in a step is a sum of flows.
    static constexpr bool sums_flows =
        !model::MergesStates<R> && !model::NotesLoads<R> && !model::CreatesTokens<R>;

    void make_room() override {
        const NodeId count = part_.local_count();
        loads_.resize(count);
        states_.resize(count);
        if constexpr (sums_flows) inflows_.resize(disjoint() ? 0 : count);
        if constexpr (!model::ReadsOnlyLoadsAndStates<R>)
            while (degrees_.size() < count)
                degrees_.push_back(part_.degree(static_cast<NodeId>(degrees_.size())));
    }

    void start_nodes(std::uint64_t link_states) override {
        make_room();
        link_states_.resize(link_states);
        if (!sums_flows) pending_.resize(disjoint() ? 0 : part_.own_count());
        if constexpr (model::StartsNodes<R>)
            for (NodeId node = 0; node < part_.own_count(); ++node)
                states_[node] = rule_.start_node(node_info(node));
    }

    [[nodiscard]] bool starts_links() const override { return model::StartsLinks<R>; }
    void start_links([[maybe_unused]] std::span<const PartRow> rows) override {
        if constexpr (model::StartsLinks<R>)
            for (const PartRow& row : rows)
                for (NodeId i = 0; i < row.count; ++i) {
                    const PartLink link = row.link(i);
                    link_states_[link.state] =
                        rule_.start_link(node_info(link.tail), node_info(link.head));
                }
    }

    void wake([[maybe_unused]] Step now) override {
        if constexpr (model::WakesNodes<R>)
            if (rule_.wakes_all(now))
                for (NodeId node = 0; node < part_.own_count(); ++node)
                    rule_.before_step(states_[node], loads_[node], {now, seed()});
    }

    [[nodiscard]] bool finished(Step done) const override {
        return all_have_finished(rule_, states_, part_.own_count(), done,
                                 [](NodeId /*node*/) { return true; });
    }

    [[nodiscard]] model::EdgeEnd<NodeState> end(NodeId node) const {
        if constexpr (model::ReadsOnlyLoadsAndStates<R>)
            return {loads_[node], Port{0}, Tokens{1}, states_[node]};
        else
            return {loads_[node], degrees_[node], speed(node), states_[node]};
    }

    void exchange(std::span<const PartRow> rows, [[maybe_unused]] bool inner, Step now,
                  StepTotals& totals) override {
        if constexpr (FlowOnly<R>)
            if (inner && disjoint() && !wants_transfers_) {
                for (const PartRow& row : rows)
                    totals += exchange_in_place(row, now);
                return;
            }
        StepTotals sums;  // a local one stays in registers
        for (const PartRow& row : rows)
            for (NodeId i = 0; i < row.count; ++i)
                exchange(row.link(i), now, sums);
        totals += sums;
    }

    [[nodiscard]] StepTotals exchange_in_place(const PartRow& row, Step now)
        requires FlowOnly<R>
    {
        const Degrees none;
        const LinkStep<R, Degrees> at = {rule_,        none,  loads_, {},    states_,
                                         link_states_, false, now,    seed()};
        return exchange_row(at, row);
    }

    void exchange(const PartLink& at, Step now, StepTotals& totals) {
        LinkState fresh{};
        LinkState& link = keeps_links() ? link_states_[at.state] : fresh;
        const auto move = rule_.evaluate(end(at.tail), end(at.head), link, {now, seed(), at.slot});
        link = move.link;
        if (part_.owns(at.tail)) {
            totals.move(move.flow);
            totals.messages += 2;
            totals.steep = totals.steep || is_steep(loads_[at.tail] - loads_[at.head]);
            if (wants_transfers_) note(at, move.flow, now);
        }
        [[maybe_unused]] const NodeState tail_before = states_[at.tail];
        [[maybe_unused]] const NodeState head_before = states_[at.head];
        if (disjoint()) {
            pass(at.tail, head_before, link, model::LinkEnd::tail, -move.flow, now, totals);
            pass(at.head, tail_before, link, model::LinkEnd::head, move.flow, now, totals);
        } else if constexpr (sums_flows) {
            inflows_[at.tail] -= move.flow;
            inflows_[at.head] += move.flow;
        } else {
            gather(at.tail, head_before, link, model::LinkEnd::tail, -move.flow);
            gather(at.head, tail_before, link, model::LinkEnd::head, move.flow);
        }
    }

    /// All that a step is at an own node with one active link.
    void pass(NodeId node, [[maybe_unused]] const NodeState& neighbour,
              [[maybe_unused]] const LinkState& link, [[maybe_unused]] model::LinkEnd own_end,
              Tokens inflow, Step now, StepTotals& totals) {
        if (!part_.owns(node)) return;
        if constexpr (model::MergesStates<R>)
            rule_.merge(states_[node], neighbour, link, own_end, inflow);
        finish(node, inflow, inflow < 0 ? -inflow : 0, now, totals);
    }

    /// What comes to a node over one of several links.
    void gather(NodeId node, [[maybe_unused]] const NodeState& neighbour,
                [[maybe_unused]] const LinkState& link, [[maybe_unused]] model::LinkEnd own_end,
                Tokens inflow) {
        if (!part_.owns(node)) return;
        Pending& pending = pending_[node];
        if (!pending.touched) {
            pending = {0, 0, true, states_[node]};
            touched_.push_back(node);
        }
        if constexpr (model::MergesStates<R>)
            rule_.merge(pending.state, neighbour, link, own_end, inflow);
        pending.inflow += inflow;
        pending.outflow += inflow < 0 ? -inflow : 0;
    }

    void settle(Step now, StepTotals& totals) override {
        if constexpr (sums_flows) {
            for (std::size_t node = 0; node < inflows_.size(); ++node) {
                loads_[node] += inflows_[node];  // in the halo without meaning
                inflows_[node] = 0;
            }
            return;
        }
        for (const NodeId node : touched_) {
            Pending& pending = pending_[node];
            pending.touched = false;
            if constexpr (model::MergesStates<R>) states_[node] = pending.state;
            finish(node, pending.inflow, pending.outflow, now, totals);
        }
        touched_.clear();
    }

    void finish(NodeId node, Tokens inflow, [[maybe_unused]] Tokens outflow,
                [[maybe_unused]] Step now, StepTotals& totals) {
        const Tokens old_load = loads_[node];
        Tokens made = 0;
        if constexpr (model::CreatesTokens<R>) {
            made = rule_.create(states_[node], old_load, outflow);
            totals.book(made);
        }
        loads_[node] = old_load + inflow + made;
        if constexpr (model::NotesLoads<R>)
            rule_.after_step(states_[node], old_load, loads_[node], {now, seed()});
    }

    [[nodiscard]] std::span<std::byte> state_bytes() override { return states_.bytes(); }
    [[nodiscard]] std::size_t state_size() const override {
        return States<NodeState>::stored ? sizeof(NodeState) : 0;
    }

    /// What arrives at a node in a step.
    struct Pending {
        Tokens inflow = 0;  ///< net
        Tokens outflow = 0;
        bool touched = false;
        [[no_unique_address]] NodeState state = {};
    };

    R rule_;
    States<NodeState> states_;  ///< own nodes, then the halo
    States<LinkState> link_states_;
    std::vector<Port> degrees_;
    // Where links share nodes, one of:
    std::vector<Tokens> inflows_;
    std::vector<Pending> pending_;
    std::vector<NodeId> touched_;
};

}  // namespace equipoise::engine
