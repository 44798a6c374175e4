#pragma once
// Rounds of deal rules whose sender alone decides: propose, then receive.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/kernels/link_step.hpp"
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/model/local/push_rule.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::engine {

/// Which nodes speak and which hear something: a round costs O(nodes) and the degrees of those.
/// Memory: 2 bytes a node, 4 bytes a link's end.
template <model::PushesTokens R, network::AnyGraph N>
class PushedDeals {
  public:
    using NodeState = typename R::NodeState;
    using Proposal = typename R::Proposal;

    /// The ends of links by number, and what the round is played on.
    struct Arcs {
        std::span<const std::uint64_t> offsets;  ///< first arc of every node
        std::span<const std::uint64_t> reverse;  ///< the arc at the link's other end
        std::span<Proposal> proposals;           ///< by the proposer's arc; at first all empty
    };

    PushedDeals(const R& rule, const N& network)
        : rule_(rule),
          network_(network),
          speaks_(network.node_count(), 0),
          hears_(network.node_count(), 0) {
        for (NodeId node = 0; node < network.node_count(); ++node)
            for (Port port = 0; port < network.degree(node); ++port)
                degrees_.push_back(network.degree(network.neighbour(node, port)));
    }

    /// Plays the round of step `now`. `speeds` may be empty: all 1.
    [[nodiscard]] StepTotals play(const Workers& workers, Step now, std::uint64_t seed,
                                  const Arcs& arcs, std::span<const Tokens> speeds,
                                  std::span<Tokens> loads, States<NodeState>& states) {
        const NodeId count = network_.node_count();
        for_each_block(workers, count, [&](std::uint64_t begin, std::uint64_t end) {
            Seen seen;
            for (std::uint64_t node = begin; node < end; ++node)
                speak(static_cast<NodeId>(node), now, seed, arcs, speeds, loads, states, seen);
        });
        return sum_over_blocks<StepTotals>(
            workers, count, count, [&](std::uint64_t begin, std::uint64_t end) {
                StepTotals totals;
                for (std::uint64_t node = begin; node < end; ++node)
                    if (speaks_[node] != 0 || hears_[node] != 0)
                        hear(static_cast<NodeId>(node), now, seed, arcs, loads, states, totals);
                return totals;
            });
    }

  private:
    /// Working memory of one thread, by port.
    struct Seen {
        std::vector<Tokens> loads;
        std::vector<Tokens> speeds;
    };

    void speak(NodeId node, Step now, std::uint64_t seed, const Arcs& arcs,
               std::span<const Tokens> speeds, std::span<const Tokens> loads,
               States<NodeState>& states, Seen& seen) {
        const std::uint64_t first = arcs.offsets[node];
        const std::size_t degree = arcs.offsets[node + 1] - first;
        const std::span<Proposal> out = arcs.proposals.subspan(first, degree);
        if (rule_.idle(states[node], loads[node], now)) {
            if (speaks_[node] != 0) std::fill(out.begin(), out.end(), Proposal{});
            speaks_[node] = 0;
            return;
        }
        speaks_[node] = 1;
        seen.loads.resize(degree);
        if (!speeds.empty()) seen.speeds.resize(degree);
        for (Port port = 0; port < degree; ++port) {
            const NodeId other = network_.neighbour(node, port);
            seen.loads[port] = loads[other];
            if (!speeds.empty()) seen.speeds[port] = speeds[other];
            // Several neighbours may say so at once.
            std::atomic_ref(hears_[other]).store(1, std::memory_order_relaxed);
        }
        rule_.propose(
            model::Surroundings<NodeState>{loads[node], speeds.empty() ? Tokens{1} : speeds[node],
                                           states[node], seen.loads, seen.speeds,
                                           std::span<const Port>(degrees_).subspan(first, degree),
                                           node, now, seed},
            out);
    }

    void hear(NodeId node, Step now, std::uint64_t seed, const Arcs& arcs, std::span<Tokens> loads,
              States<NodeState>& states, StepTotals& totals) {
        hears_[node] = 0;
        Tokens net = 0;
        for (std::uint64_t arc = arcs.offsets[node]; arc < arcs.offsets[node + 1]; ++arc) {
            const Proposal& proposal = arcs.proposals[arcs.reverse[arc]];
            const Tokens inflow = rule_.sent(proposal) - rule_.sent(arcs.proposals[arc]);
            rule_.receive(states[node], proposal, now);
            net += inflow;
            totals.exchanges += static_cast<std::uint64_t>(inflow < 0 ? -inflow : inflow);
        }
        const Tokens old_load = loads[node];
        loads[node] = old_load + net;
        if constexpr (model::NotesLoads<R>)
            rule_.after_step(states[node], old_load, loads[node], {now, seed});
    }

    const R& rule_;
    const N& network_;
    std::vector<std::uint8_t> speaks_;
    std::vector<std::uint8_t> hears_;
    std::vector<Port> degrees_;  ///< of neighbours, by arc
};

}  // namespace equipoise::engine
