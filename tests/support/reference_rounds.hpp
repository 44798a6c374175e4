#pragma once
// Plain interpreters of edge rules and deal rules, for drafts of algorithms.

#include <algorithm>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/deal_rule.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::test {

/// Plays an edge rule on lists of links that the caller names step by step. Slot i of a step is
/// `first_slot` + i. Calls what `EdgeRule` requires, and the optional `merge` and `create`.
template <model::EdgeRule Rule>
class ReferenceEdgeRounds {
  public:
    using NodeState = typename Rule::NodeState;
    using LinkState = typename Rule::LinkState;

    ReferenceEdgeRounds(const Rule& rule, const network::Network& network,
                        std::vector<Tokens> start, std::size_t slots)
        : loads(std::move(start)), states(network.node_count()), links(slots), rule_(rule) {
        for (NodeId v = 0; v < network.node_count(); ++v) {
            degrees_.push_back(network.degree(v));
            if constexpr (model::StartsNodes<Rule>)
                states[v] = rule.start_node({loads[v], degrees_[v], 1});
        }
    }

    void step(std::span<const Ends> active, std::size_t first_slot) {
        const std::vector<Tokens> old_loads = loads;
        const std::vector<NodeState> old_states = states;
        std::vector<Tokens> outflow(loads.size(), 0);
        for (std::size_t i = 0; i < active.size(); ++i) {
            const auto [tail, head] = active[i];
            LinkState& link = links[first_slot + i];
            const auto end = [&](NodeId v) {
                return model::EdgeEnd<NodeState>{old_loads[v], degrees_[v], 1, old_states[v]};
            };
            const auto move =
                rule_.evaluate(end(tail), end(head), link, {done_, 1, first_slot + i});
            link = move.link;
            loads[tail] -= move.flow;
            loads[head] += move.flow;
            outflow[move.flow > 0 ? tail : head] += move.flow > 0 ? move.flow : -move.flow;
            if constexpr (model::MergesStates<Rule>) {
                rule_.merge(states[tail], old_states[head], link, model::LinkEnd::tail, -move.flow);
                rule_.merge(states[head], old_states[tail], link, model::LinkEnd::head, move.flow);
            }
        }
        if constexpr (model::CreatesTokens<Rule>) {
            for (NodeId v = 0; v < loads.size(); ++v) {
                const Tokens made = rule_.create(states[v], old_loads[v], outflow[v]);
                loads[v] += made;
                created += made;
            }
        }
        ++done_;
    }

    std::vector<Tokens> loads;
    std::vector<NodeState> states;
    std::vector<LinkState> links;
    Tokens created = 0;

  private:
    const Rule& rule_;
    std::vector<Port> degrees_;
    Step done_ = 0;
};

/// Plays a deal rule, round by round.
template <model::DealRule Rule>
class ReferenceDealRounds {
  public:
    using NodeState = typename Rule::NodeState;
    using Proposal = typename Rule::Proposal;

    ReferenceDealRounds(const Rule& rule, const network::Network& network,
                        std::vector<Tokens> start)
        : loads(std::move(start)), states(network.node_count()), rule_(rule), network_(network) {}

    void round() {
        const std::vector<Tokens> old_loads = loads;
        std::vector<std::vector<Proposal>> out(loads.size());
        for (NodeId v = 0; v < loads.size(); ++v) {
            out[v].resize(network_.degree(v));
            visit(v, old_loads, [&](const auto& here) { rule_.propose(here, std::span(out[v])); });
        }
        for (NodeId v = 0; v < loads.size(); ++v) {
            std::vector<Proposal> in;
            for (const NodeId other : network_.neighbours(v)) {
                const auto back = network_.neighbours(other);
                in.push_back(out[other][static_cast<std::size_t>(
                    std::find(back.begin(), back.end(), v) - back.begin())]);
            }
            std::vector<Tokens> taken(in.size(), 0);
            visit(v, old_loads, [&](const auto& here) {
                rule_.accept(here, std::span<const Proposal>(in), std::span(taken));
            });
            for (Port port = 0; port < taken.size(); ++port) {
                loads[v] += taken[port];
                loads[network_.neighbour(v, port)] -= taken[port];
            }
        }
        ++done_;
    }

    std::vector<Tokens> loads;
    std::vector<NodeState> states;

  private:
    template <class Visit>
    void visit(NodeId v, const std::vector<Tokens>& old_loads, Visit act) {
        std::vector<Tokens> neighbour_loads;
        std::vector<Port> neighbour_degrees;
        for (const NodeId other : network_.neighbours(v)) {
            neighbour_loads.push_back(old_loads[other]);
            neighbour_degrees.push_back(network_.degree(other));
        }
        act(model::Surroundings<NodeState>{
            old_loads[v], 1, states[v], neighbour_loads, {}, neighbour_degrees, v, done_, 1});
    }

    const Rule& rule_;
    const network::Network& network_;
    Step done_ = 0;
};

}  // namespace equipoise::test
