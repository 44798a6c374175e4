#pragma once
// The definition of a step of an edge rule, without haste. It is compiled once a rule, whatever the
// schedule and the network.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/engine/kernels/link_step.hpp"
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/model/run/schedule.hpp"

namespace equipoise::engine {

/// A link that takes part in a step.
struct ActiveLink {
    Ends ends;
    std::uint64_t slot = 0;
};

/// The links of a step, in the order of slots.
template <model::Schedule S>
[[nodiscard]] std::vector<ActiveLink> active_links(const S& schedule, Step step) {
    std::vector<ActiveLink> active;
    if constexpr (model::RowSchedule<S>) {
        for (std::uint64_t index = 0; index < schedule.row_count(step); ++index) {
            const model::LinkRow row = schedule.row(step, index);
            for (NodeId i = 0; i < row.count; ++i)
                active.push_back(
                    {{row.tail + i * row.stride, row.head + i * row.stride}, row.slot + i});
        }
    } else {
        std::uint64_t slot = schedule.first_slot(step);
        for (const Ends& ends : schedule.links(step))
            active.push_back({ends, slot++});
    }
    return active;
}

/// Degrees by node; empty for rules that do not look at them.
struct Degrees {
    std::span<const Port> by_node;

    [[nodiscard]] Port degree(NodeId node) const { return by_node[node]; }
};

/// Plays active links in turn on the loads and states from before the step; see EdgeRounds for its
/// parts. Transfers are appended where somebody wants them (not null).
template <model::EdgeRule R>
[[gnu::cold]] StepTotals reference_step(const LinkStep<R, Degrees>& at,
                                        std::span<const ActiveLink> active,
                                        std::vector<model::Transfer>* transfers) {
    using LinkState = typename R::LinkState;
    using model::LinkEnd;
    const load::Loads old_loads(at.loads.begin(), at.loads.end());
    const States<typename R::NodeState> old_states = at.node_states;
    std::vector<Tokens> inflow(old_loads.size(), 0);
    std::vector<Tokens> outflow(old_loads.size(), 0);
    std::vector<bool> touched(old_loads.size(), false);
    StepTotals totals;

    for (const auto& [ends, slot] : active) {
        LinkState fresh{};
        LinkState& link = at.keeps_links ? at.link_states[slot] : fresh;
        const auto [tail, head] = ends;
        const auto move = at.rule.evaluate(at.end(tail, old_loads[tail], old_states[tail]),
                                           at.end(head, old_loads[head], old_states[head]), link,
                                           {at.step, at.seed, slot});
        link = move.link;
        if constexpr (model::MergesStates<R>) {
            at.rule.merge(at.node_states[tail], old_states[head], link, LinkEnd::tail, -move.flow);
            at.rule.merge(at.node_states[head], old_states[tail], link, LinkEnd::head, move.flow);
        }
        const Tokens amount = move.flow < 0 ? -move.flow : move.flow;
        const NodeId from = move.flow < 0 ? head : tail;
        const NodeId to = move.flow < 0 ? tail : head;
        outflow[from] += amount;
        inflow[to] += amount;
        touched[tail] = touched[head] = true;
        totals.move(amount);
        totals.messages += 2;
        totals.steep = totals.steep || is_steep(old_loads[tail] - old_loads[head]);
        if (transfers != nullptr && amount > 0) transfers->push_back({at.step, from, to, amount});
    }
    for (NodeId node = 0; node < old_loads.size(); ++node) {
        if (!touched[node]) continue;
        const Tokens made = at.create(at.node_states[node], old_loads[node], outflow[node]);
        totals.book(made);
        at.loads[node] += made + inflow[node] - outflow[node];
        if constexpr (model::NotesLoads<R>)
            at.rule.after_step(at.node_states[node], old_loads[node], at.loads[node], at.info());
    }
    return totals;
}

/// Plays active links that share no node, in place, on all threads.
template <model::EdgeRule R>
[[nodiscard]] StepTotals disjoint_step(const LinkStep<R, Degrees>& at, const Workers& workers,
                                       std::span<const ActiveLink> active) {
    return sum_over_blocks<StepTotals>(
        workers, active.size(), active.size(), [&](std::uint64_t begin, std::uint64_t end) {
            StepTotals totals;
            for (const auto& [ends, slot] : active.subspan(begin, end - begin))
                at.exchange(ends.tail, ends.head, slot, totals);
            return totals;
        });
}

}  // namespace equipoise::engine
