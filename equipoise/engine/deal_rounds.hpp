#pragma once
// Deal rules in synchronous rounds: all propose, all accept, then every link is netted.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/engine/kernels/link_step.hpp"
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/model/local/deal_rule.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::engine {

/// A deal rule at work on a network. A round:
///   1. the environment adds and takes tokens;
///   2. every node proposes over all its ports, on the loads from the round's start;
///   3. every node accepts among the proposals it received, on the same loads;
///   4. a link carries what its one end takes less what its other end takes; loads change;
///   5. `after_step` runs at every node.
/// Every round takes `phases` steps and as many messages over every link each way. Nodes are shared
/// out to threads; `Body::reference` is the same on one thread.
///
/// Memory: a proposal and 24 bytes for each end of a link. The network must outlive it.
template <model::DealRule R, network::AnyGraph N>
class DealRounds {
  public:
    using NodeState = typename R::NodeState;
    using Proposal = typename R::Proposal;
    static constexpr Step phases = model::phases_of<R>();

    /// Throws InputError when loads or speeds do not fit the network, OverflowError when there are
    /// too many tokens.
    DealRounds(const R& rule, load::Loads loads, const N& network, const RoundOptions& options)
        : rule_(rule),
          network_(network),
          options_(options),
          workers_(Workers::of(options.body == Body::reference ? 1 : options.threads,
                               options.items_per_thread_min)),
          loads_(expect_one_a_node(std::move(loads), network.node_count())),
          control_(options, phases, model::MayOwe<R>, loads_),
          node_states_(network.node_count()) {
        number_arcs();
        if constexpr (model::StartsNodes<R>)
            for (NodeId node = 0; node < network_.node_count(); ++node)
                node_states_[node] =
                    rule_.start_node({loads_[node], network_.degree(node), speed(node)});
    }

    /// Plays until a stop rule holds.
    [[nodiscard]] RoundOutcome run() {
        control_.start(loads_);
        std::optional<model::StopReason> reason;
        if (network_.link_count() == 0 && options_.environment == nullptr)
            reason = model::StopReason::nothing_to_do;
        while (!reason) {
            reason = control_.reason_to_stop(network_, loads_, all_finished());
            if (!reason) round();
        }
        control_.finish(loads_);
        return {loads_, control_.costs(), control_.ledger().created(),
                control_.ledger().destroyed(), *reason};
    }

    /// Plays one round, whatever the stop rules say.
    void round() {
        control_.begin_step(loads_);
        const Step now = control_.costs().steps;
        each_node([&](NodeId node, View& view) {
            rule_.propose(look(node, now, view), arcs_of<Proposal>(proposals_, node));
        });
        each_node([&](NodeId node, View& view) {
            view.proposals.clear();
            for (std::uint64_t arc = offsets_[node]; arc < offsets_[node + 1]; ++arc)
                view.proposals.push_back(proposals_[reverse_[arc]]);
            rule_.accept(look(node, now, view), view.proposals, arcs_of<Tokens>(taken_, node));
        });
        const StepTotals totals = settle(now);
        control_.end_step(totals, phases, loads_, transfers_);
    }

    [[nodiscard]] std::span<const Tokens> loads() const { return loads_; }
    [[nodiscard]] const model::Costs& costs() const { return control_.costs(); }
    [[nodiscard]] const States<NodeState>& node_states() const { return node_states_; }

  private:
    /// What a node sees of its neighbours, by port; working memory of one thread.
    struct View {
        std::vector<Tokens> loads;
        std::vector<Tokens> speeds;
        std::vector<Port> degrees;
        std::vector<Proposal> proposals;
    };

    [[nodiscard]] Tokens speed(NodeId node) const {
        return options_.speeds.empty() ? Tokens{1} : options_.speeds[node];
    }

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
        view.loads.clear();
        view.speeds.clear();
        view.degrees.clear();
        for (Port port = 0; port < network_.degree(node); ++port) {
            const NodeId other = network_.neighbour(node, port);
            view.loads.push_back(loads_[other]);
            view.degrees.push_back(network_.degree(other));
            if (!options_.speeds.empty()) view.speeds.push_back(options_.speeds[other]);
        }
        return {loads_[node], speed(node), node_states_[node],
                view.loads,   view.speeds, view.degrees,
                node,         now,         options_.seed};
    }

    /// Steps 4 and 5. Transfers are noted in the order of links.
    [[nodiscard]] StepTotals settle(Step now) {
        transfers_.clear();
        const bool steep_wanted = options_.stop.stable_steps.has_value();
        StepTotals totals;
        totals.messages = 2 * phases * network_.link_count();
        for (NodeId node = 0; node < network_.node_count(); ++node)
            for (Port port = 0; port < network_.degree(node); ++port) {
                const NodeId other = network_.neighbour(node, port);
                if (other < node) continue;
                if (steep_wanted)
                    totals.steep = totals.steep || steep(loads_[node] - loads_[other]);
                const std::uint64_t arc = offsets_[node] + port;
                const Tokens flow = taken_[reverse_[arc]] - taken_[arc];
                if (flow == 0) continue;
                const Tokens amount = flow < 0 ? -flow : flow;
                totals.exchanges += static_cast<std::uint64_t>(amount);
                if (control_.wants_transfers())
                    transfers_.push_back(
                        {now, flow < 0 ? other : node, flow < 0 ? node : other, amount});
            }
        each_node([&](NodeId node, View& /*view*/) {
            const Tokens old_load = loads_[node];
            Tokens net = 0;
            for (std::uint64_t arc = offsets_[node]; arc < offsets_[node + 1]; ++arc)
                net += taken_[arc] - taken_[reverse_[arc]];
            loads_[node] += net;
            if constexpr (model::NotesLoads<R>)
                rule_.after_step(node_states_[node], old_load, loads_[node], {now, options_.seed});
        });
        return totals;
    }

    [[nodiscard]] static bool steep(Tokens difference) { return difference > 1 || difference < -1; }

    [[nodiscard]] bool all_finished() const {
        if constexpr (model::Finishes<R>) {
            if (!rule_.checks_finished(control_.costs().steps)) return false;
            for (NodeId node = 0; node < network_.node_count(); ++node)
                if (!rule_.finished(node_states_[node])) return false;
            return true;
        }
        return false;
    }

    R rule_;
    const N& network_;
    RoundOptions options_;
    Workers workers_;
    load::Loads loads_;
    RunControl control_;
    States<NodeState> node_states_;
    std::vector<std::uint64_t> offsets_;  ///< first arc of every node
    std::vector<std::uint64_t> reverse_;  ///< the arc at the link's other end
    std::vector<Proposal> proposals_;     ///< by the proposer's arc
    std::vector<Tokens> taken_;           ///< by the taker's arc
    std::vector<model::Transfer> transfers_;
};

}  // namespace equipoise::engine
