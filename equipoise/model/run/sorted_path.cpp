#include "equipoise/model/run/sorted_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"

namespace equipoise::model {

SortedPath::SortedPath(const network::AnyNetwork& network, double smoothing, std::uint64_t seed)
    : nodes_(network.node_count()), smoothing_(smoothing), seed_(seed) {
    const std::uint64_t nodes = nodes_;
    if (nodes < 2 || nodes > nodes_max || network.link_count() != nodes * (nodes - 1) / 2)
        throw InputError(
            "churn adversary:sorted-path: expected a complete network, complete:n=N, "
            "of 2 to " +
            std::to_string(nodes_max) + " nodes, found one of " + std::to_string(nodes) +
            " nodes and " + std::to_string(network.link_count()) + " links");
    link_of_.resize(nodes * nodes);
    network.visit([&](const auto& graph) {
        for (NodeId node = 0; node < nodes_; ++node)
            for (Port port = 0; port < graph.degree(node); ++port)
                link_of_[node * nodes + graph.neighbour(node, port)] = graph.link(node, port);
    });
    order_.resize(nodes);
}

void SortedPath::begin(Step /*round_length*/) {
    up_.resize(nodes_ * (std::size_t{nodes_} - 1) / 2);
    std::iota(up_.begin(), up_.end(), LinkId{0});
}

void SortedPath::before_round(Step round, std::span<const Tokens> loads, Changes& changes) {
    std::iota(order_.begin(), order_.end(), NodeId{0});
    std::sort(order_.begin(), order_.end(),
              [&](NodeId a, NodeId b) { return std::pair(loads[a], a) < std::pair(loads[b], b); });
    exchange_places(round);
    next_.clear();
    for (NodeId place = 1; place < nodes_; ++place)
        next_.push_back(link_of_[std::size_t{order_[place - 1]} * nodes_ + order_[place]]);
    std::sort(next_.begin(), next_.end());
    std::vector<LinkId> switched;
    std::set_symmetric_difference(up_.begin(), up_.end(), next_.begin(), next_.end(),
                                  std::back_inserter(switched));
    for (const LinkId link : switched)
        changes.links.push_back({link, std::binary_search(next_.begin(), next_.end(), link)});
    std::swap(up_, next_);
}

void SortedPath::exchange_places(Step round) {
    // Counts down from the largest number, so that arrivals with the same seed draw other words.
    RandomStream random(seed_, Purpose::environment, 0, ~round);
    const double whole = std::floor(smoothing_);
    auto exchanges = static_cast<std::uint64_t>(whole);
    if (random.unit() < smoothing_ - whole) ++exchanges;
    for (; exchanges > 0; --exchanges) {
        const std::uint64_t one = random.below(nodes_);
        const std::uint64_t shift = 1 + random.below(std::uint64_t{nodes_} - 1);
        std::swap(order_[one], order_[(one + shift) % nodes_]);
    }
}

}  // namespace equipoise::model
