#pragma once
// Rounds of deal rules in which the sender alone decides: nodes propose, then receive, and only
// nodes where something happens are visited.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/engine/bodies/deal_body.hpp"
#include "equipoise/model/local/push_rule.hpp"

namespace equipoise::engine {

/// Serves rules whose receivers take everything, on all threads. A round costs O(nodes) plus the
/// degrees of the nodes that propose or receive something. Memory: a proposal for each end of a
/// link, 2 bytes per node.
template <model::DealRule R>
class PushedDeals final : public DealBody<R> {
  public:
    static constexpr Body name{"pushed"};
    static constexpr bool possible = model::PushesTokens<R>;
    [[nodiscard]] static bool serves(const R& /*rule*/, const DealSetting& setting) {
        return !setting.lists_transfers && !setting.network_changes;
    }

    PushedDeals(const R& /*rule*/, const DealSetting& setting)
        : speaks_(setting.part.own_count(), 0), hears_(setting.part.own_count(), 0) {}

    void make_room(const Arcs& arcs) override { proposals_.resize(arcs.count); }

    void propose(const DealStep<R>& at, const NodeSet& nodes) override {
        if constexpr (possible)  // clang compiles virtual members that nobody can call
            nodes.template for_each<SeenNeighbours>(
                at.workers, [&](NodeId node, SeenNeighbours& seen) { speak(at, node, seen); });
    }

    void accept(const DealStep<R>& /*at*/, const NodeSet& nodes) override {
        // Nodes with neighbours on other ranks always receive from them.
        if (nodes.boundary)
            for (const NodeId node : nodes.some)
                hears_[node] = 1;
    }

    void settle(const DealStep<R>& at, StepTotals& totals) override {
        if constexpr (possible)
            totals +=
                sum_over_blocks<StepTotals>(at.workers, at.part.own_count(), at.part.own_count(),
                                            [&](std::uint64_t begin, std::uint64_t end) {
                                                StepTotals own;
                                                for (std::uint64_t node = begin; node < end; ++node)
                                                    if (speaks_[node] != 0 || hears_[node] != 0)
                                                        hear(at, static_cast<NodeId>(node), own);
                                                return own;
                                            });
    }

    [[nodiscard]] Values told_by_arcs() override {
        return {std::as_writable_bytes(std::span(proposals_)), sizeof(Proposal)};
    }

  private:
    using Proposal = typename R::Proposal;

    void speak(const DealStep<R>& at, NodeId node, SeenNeighbours& seen) {
        const std::span<Proposal> out = at.of(std::span<Proposal>(proposals_), node);
        if (at.rule.idle(at.node_states[node], at.loads[node], at.step)) {
            if (speaks_[node] != 0) std::fill(out.begin(), out.end(), Proposal{});
            speaks_[node] = 0;
            return;
        }
        speaks_[node] = 1;
        for (const NodeId other : at.rows.of(node))
            if (at.part.owns(other))
                // Several neighbours may set this at the same time.
                std::atomic_ref(hears_[other]).store(1, std::memory_order_relaxed);
        at.rule.propose(look(at, node, seen), out);
    }

    void hear(const DealStep<R>& at, NodeId node, StepTotals& totals) {
        hears_[node] = 0;
        Tokens net = 0;
        for (std::uint64_t arc = at.rows.first_arc(node); arc < at.rows.first_arc(node + 1);
             ++arc) {
            const Proposal& proposal = proposals_[at.arcs.reverse[arc]];
            const Tokens inflow = at.rule.sent(proposal) - at.rule.sent(proposals_[arc]);
            at.rule.receive(at.node_states[node], proposal, at.step);
            net += inflow;
            totals.exchanges += static_cast<std::uint64_t>(inflow < 0 ? -inflow : inflow);
        }
        const Tokens old_load = at.loads[node];
        at.loads[node] = old_load + net;
        if constexpr (model::NotesLoads<R>)
            at.rule.after_step(at.node_states[node], old_load, at.loads[node], {at.step, at.seed});
    }

    std::vector<Proposal> proposals_;  ///< by the proposer's arc; empty ones if nothing is said
    std::vector<std::uint8_t> speaks_;
    std::vector<std::uint8_t> hears_;
};

}  // namespace equipoise::engine
