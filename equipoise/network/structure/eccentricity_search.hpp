#pragma once
// Bounds on eccentricities that narrow with every breadth-first search.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/network/structure/breadth_first.hpp"

namespace equipoise::network {

// Problem: diameter or all eccentricities of a connected graph with few searches.
// Source: Takes and Kosters 2011 (diameter), 2013 (eccentricities).
// After a search from v with eccentricity e, every w at distance d has
//     max(e - d, d) <= ecc(w) <= e + d.
// Searches start alternately where the upper bound is largest and where the lower one is smallest,
// ties by degree.
template <AnyGraph N>
class EccentricitySearch {
  public:
    explicit EccentricitySearch(const N& network)
        : network_(network),
          lower_(network.node_count(), 0),
          upper_(network.node_count(), unreachable),
          open_(network.node_count()) {
        for (NodeId node = 0; node < network.node_count(); ++node)
            open_[node] = node;
    }

    [[nodiscard]] bool done() const { return open_.empty(); }
    [[nodiscard]] std::uint64_t searches() const { return searches_; }
    [[nodiscard]] std::vector<std::uint32_t>& lower() { return lower_; }
    [[nodiscard]] std::vector<std::uint32_t>& upper() { return upper_; }
    /// Nodes whose bounds still matter.
    [[nodiscard]] const std::vector<NodeId>& open() const { return open_; }
    /// The largest lower bound met so far.
    [[nodiscard]] std::uint32_t diameter_lower() const { return diameter_lower_; }
    /// The smallest upper bound met so far.
    [[nodiscard]] std::uint32_t radius_upper() const { return radius_upper_; }

    /// One search and the narrowing it brings. `keep(node)` says whether a node with open bounds
    /// still matters. Throws UnsuitableError when the network turns out not to be connected.
    template <class Keep>
    void step(const Keep& keep) {
        const NodeId source = choose();
        search_.run(network_, source);
        ++searches_;
        if (search_.order().size() != network_.node_count())
            throw UnsuitableError("expected a connected network, found one in several parts");
        const std::uint32_t eccentricity = search_.eccentricity();
        for (const NodeId node : open_) {
            const std::uint32_t distance = search_.distances()[node];
            lower_[node] = std::max({lower_[node], distance, eccentricity - distance});
            upper_[node] = std::min(upper_[node], eccentricity + distance);
            diameter_lower_ = std::max(diameter_lower_, lower_[node]);
            radius_upper_ = std::min(radius_upper_, upper_[node]);
        }
        std::erase_if(open_,
                      [&](NodeId node) { return lower_[node] == upper_[node] || !keep(node); });
    }

  private:
    [[nodiscard]] NodeId choose() {
        from_top_ = !from_top_;
        NodeId best = open_.front();
        for (const NodeId node : open_) {
            const std::uint32_t value = from_top_ ? upper_[node] : lower_[node];
            const std::uint32_t champion = from_top_ ? upper_[best] : lower_[best];
            const bool better = from_top_ ? value > champion : value < champion;
            if (better || (value == champion && network_.degree(node) > network_.degree(best)))
                best = node;
        }
        return best;
    }

    const N& network_;
    BreadthFirst search_;
    std::vector<std::uint32_t> lower_;
    std::vector<std::uint32_t> upper_;
    std::vector<NodeId> open_;
    std::uint64_t searches_ = 0;
    std::uint32_t diameter_lower_ = 0;
    std::uint32_t radius_upper_ = unreachable;
    bool from_top_ = false;
};

}  // namespace equipoise::network
