#pragma once
// Rounds on a directed network: all nodes act, then everything that was sent arrives.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/digraph.hpp"

namespace equipoise::engine {

/// `Node` is made from a number of tokens and an out-degree; `step()` returns nothing or what goes
/// through a port (`port`, `mass`), `receive(mass)` takes it. Messages of a round arrive in the
/// order of their senders' numbers.
template <class Node>
class DirectedRounds {
  public:
    /// The network must outlive the rounds.
    DirectedRounds(const network::Digraph& digraph, const load::Loads& loads) : digraph_(&digraph) {
        EQUIPOISE_ASSERT(loads.size() == digraph.node_count());
        for (NodeId node = 0; node < digraph.node_count(); ++node)
            nodes_.emplace_back(loads[node], digraph.out_degree(node));
    }
    DirectedRounds(network::Digraph&& digraph, const load::Loads& loads) = delete;

    /// Plays a round and returns how many messages were sent in it.
    std::size_t round() {
        sent_.clear();
        for (NodeId node = 0; node < digraph_->node_count(); ++node)
            if (auto sent = nodes_[node].step())
                sent_.emplace_back(digraph_->heads(node)[sent->port], std::move(sent->mass));
        for (auto& [head, mass] : sent_)
            nodes_[head].receive(mass);
        return sent_.size();
    }
    [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }

  private:
    using Mass = decltype(std::declval<Node&>().step()->mass);

    const network::Digraph* digraph_;
    std::vector<Node> nodes_;
    std::vector<std::pair<NodeId, Mass>> sent_;
};

}  // namespace equipoise::engine
