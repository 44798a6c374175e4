#pragma once
// Which nodes and links are up, according to a record's switches.

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::verify {

/// The live part of a record's network, step by step. Record and network must outlive it.
class LiveLinks {
  public:
    LiveLinks(const model::Record& record, const network::AnyNetwork& network)
        : switches_(record.switches), network_(network), up_(record.node_count, true) {}

    /// Applies all switches up to a step. Returns the nodes that went in that step.
    std::vector<NodeId> switch_until(Step step);
    /// The step of the next switch; the largest number if none is left.
    [[nodiscard]] Step next_switch() const {
        return next_ < switches_.size() ? switches_[next_].step : ~Step{0};
    }
    [[nodiscard]] bool up(NodeId node) const { return up_[node]; }
    [[nodiscard]] bool live(NodeId one, NodeId other) const {
        return up(one) && up(other) && !down_.contains(std::minmax(one, other));
    }
    /// The node that takes the tokens of one that went: its lowest-numbered neighbour that is up,
    /// over a link that is up; `no_node` if there is none.
    [[nodiscard]] NodeId heir(NodeId node) const;
    /// The largest difference across a live link.
    [[nodiscard]] Int128 imbalance(const std::vector<Tokens>& loads) const;
    /// The largest discrepancy among nodes that live links join.
    [[nodiscard]] Int128 discrepancy(const std::vector<Tokens>& loads) const;

  private:
    const std::vector<model::NetworkSwitch>& switches_;
    const network::AnyNetwork& network_;
    std::vector<bool> up_;
    std::set<std::pair<NodeId, NodeId>> down_;
    std::size_t next_ = 0;
};

}  // namespace equipoise::verify
