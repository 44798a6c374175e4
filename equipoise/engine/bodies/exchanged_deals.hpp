#pragma once
// Deal rules with a proposal and an answer over both ends of every link: the definition of a round.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/engine/bodies/deal_body.hpp"

namespace equipoise::engine {

/// A round:
///   1. every node proposes over all its ports, on the loads from the round's start;
///   2. every node accepts among the proposals it received, on the same loads;
///   3. a link carries what one end takes less what the other end takes; loads change;
///   4. `after_step` runs at every node.
/// Where nodes and links come and go, a node sees live neighbours only, and its ports are its live
/// links in their order.
///
/// Serves every run: on all threads or, as the reference that the other bodies must equal, on one.
/// Memory: a proposal for each end of a link.
template <model::DealRule R>
class ExchangedDeals : public DealBody<R> {
  public:
    static constexpr Body name = Body("exchanged");
    static constexpr bool possible = true;
    [[nodiscard]] static bool serves(const R& /*rule*/, const DealSetting& /*setting*/) {
        return true;
    }

    ExchangedDeals(const R& /*rule*/, const DealSetting& /*setting*/) {}

    void make_room(const Arcs& arcs) override { proposals_.resize(arcs.count); }

    void propose(const DealStep<R>& at, const NodeSet& nodes) override {
        nodes.template for_each<View>(at.workers, [&](NodeId node, View& view) {
            const std::span<Proposal> out = at.of(std::span<Proposal>(proposals_), node);
            if (at.live != nullptr) return propose_live(at, node, out, view);
            at.rule.propose(look(at, node, view.seen), out);
        });
    }

    void accept(const DealStep<R>& at, const NodeSet& nodes) override {
        nodes.template for_each<View>(at.workers, [&](NodeId node, View& view) {
            const std::span<Tokens> taken = at.of(std::span<Tokens>(at.arcs.taken), node);
            if (at.live != nullptr) return accept_live(at, node, taken, view);
            view.heard.resize(taken.size());
            for (std::size_t port = 0; port < taken.size(); ++port)
                view.heard[port] = heard(at, node, port);
            at.rule.accept(look(at, node, view.seen), view.heard, taken);
        });
    }

    void settle(const DealStep<R>& at, StepTotals& totals) override {
        totals +=
            sum_over_blocks<StepTotals>(at.workers, at.part.own_count(), at.part.own_count(),
                                        [&](std::uint64_t begin, std::uint64_t end) {
                                            StepTotals own;
                                            for (std::uint64_t node = begin; node < end; ++node)
                                                settle(at, static_cast<NodeId>(node), own);
                                            return own;
                                        });
    }

    [[nodiscard]] Values told_by_arcs() override {
        return {std::as_writable_bytes(std::span(proposals_)), sizeof(Proposal)};
    }
    [[nodiscard]] Values answers(Arcs& arcs) override {
        return {std::as_writable_bytes(std::span(arcs.taken)), sizeof(Tokens)};
    }

  private:
    using Proposal = typename R::Proposal;

    /// Working memory of one thread.
    struct View {
        SeenNeighbours seen;
        std::vector<Proposal> heard;
        // Where nodes and links come and go: the live ports, and the proposals and answers that
        // cross them.
        std::vector<Port> ports;
        std::vector<Proposal> out;
        std::vector<Tokens> taken;
        std::vector<model::PortStateOf<R>> kept;
    };

    [[nodiscard]] const Proposal& heard(const DealStep<R>& at, NodeId node,
                                        std::size_t port) const {
        return proposals_[at.arcs.reverse[at.rows.first_arc(node) + port]];
    }

    static void settle(const DealStep<R>& at, NodeId node, StepTotals& totals) {
        const std::vector<Tokens>& taken = at.arcs.taken;
        const Tokens old_load = at.loads[node];
        Tokens net = 0;
        for (std::uint64_t arc = at.rows.first_arc(node); arc < at.rows.first_arc(node + 1);
             ++arc) {
            const Tokens inflow = taken[arc] - taken[at.arcs.reverse[arc]];
            net += inflow;
            totals.exchanges += static_cast<std::uint64_t>(inflow < 0 ? -inflow : inflow);
        }
        at.loads[node] = old_load + net;
        if constexpr (model::NotesLoads<R>) {
            if (at.live != nullptr && !at.live->up(node)) return;
            at.rule.after_step(at.node_states[node], old_load, at.loads[node], {at.step, at.seed});
        }
    }

    /// Over links that are down, nothing is offered ...
    void propose_live(const DealStep<R>& at, NodeId node, std::span<Proposal> out, View& view) {
        std::fill(out.begin(), out.end(), Proposal{});
        if (!at.live->up(node)) return;
        const auto here = look_live(at, node, view);
        view.out.assign(view.ports.size(), Proposal{});
        at.rule.propose(here, view.out);
        keep_ports(at, node, view);
        for (std::size_t i = 0; i < view.ports.size(); ++i)
            out[view.ports[i]] = view.out[i];
    }
    /// ... and nothing is taken.
    void accept_live(const DealStep<R>& at, NodeId node, std::span<Tokens> taken, View& view) {
        std::fill(taken.begin(), taken.end(), Tokens{0});
        if (!at.live->up(node)) return;
        const auto here = look_live(at, node, view);
        view.heard.clear();
        for (const Port port : view.ports)
            view.heard.push_back(heard(at, node, port));
        view.taken.assign(view.ports.size(), 0);
        at.rule.accept(here, view.heard, view.taken);
        keep_ports(at, node, view);
        for (std::size_t i = 0; i < view.ports.size(); ++i)
            taken[view.ports[i]] = view.taken[i];
    }

    /// Stores what a node remembers of its live ports back in its place.
    static void keep_ports(const DealStep<R>& at, NodeId node, const View& view) {
        if constexpr (model::RemembersPorts<R>)
            for (std::size_t i = 0; i < view.ports.size(); ++i)
                at.ports(node)[view.ports[i]] = view.kept[i];
    }

    [[nodiscard]] model::SurroundingsOf<R> look_live(const DealStep<R>& at, NodeId node,
                                                     View& view) {
        view.ports.clear();
        view.seen.loads.clear();
        view.seen.speeds.clear();
        view.seen.degrees.clear();
        view.kept.clear();
        const std::span<const NodeId> row = at.rows.of(node);
        for (Port port = 0; port < row.size(); ++port) {
            const NodeId other = row[port];
            if (!at.live->live(node, other)) continue;
            view.ports.push_back(port);
            view.seen.loads.push_back(at.loads[other]);
            view.seen.degrees.push_back(at.live->degree(other));
            if (!at.speeds.empty()) view.seen.speeds.push_back(at.speeds[other]);
            if constexpr (model::RemembersPorts<R>) view.kept.push_back(at.ports(node)[port]);
        }
        return {at.loads[node],
                at.speed(node),
                at.node_states[node],
                view.seen.loads,
                view.seen.speeds,
                view.seen.degrees,
                node,
                at.step,
                at.seed,
                view.kept};
    }

    std::vector<Proposal> proposals_;  ///< by the proposer's arc
};

/// The same body, which RoundPlay runs on one thread.
template <model::DealRule R>
class ReferenceDeals final : public ExchangedDeals<R> {
  public:
    static constexpr Body name = Body::reference;
    static constexpr bool possible = true;
    using ExchangedDeals<R>::ExchangedDeals;
};

}  // namespace equipoise::engine
