#include "equipoise/network/structure/observer_tour.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::network {
namespace {

void expect_colouring(const AnyNetwork& network, const EdgeColouring& colouring, Colour start) {
    if (colouring.by_link.size() != network.link_count())
        throw InputError("edge colouring: expected a colour for each of " +
                         std::to_string(network.link_count()) + " links, found " +
                         std::to_string(colouring.by_link.size()));
    for (const Colour colour : colouring.by_link) {
        if (colour >= colouring.colour_count)
            throw InputError("edge colouring: expected colours below " +
                             std::to_string(colouring.colour_count) + ", found " +
                             std::to_string(colour));
    }
    if (start >= std::max<Colour>(colouring.colour_count, 1))
        throw InputError("observer tour: expected a start colour below " +
                         std::to_string(colouring.colour_count) + ", found " +
                         std::to_string(start));
}

/// successor[v]: where an observer that is at v at a time congruent to `start` is one round later.
std::vector<NodeId> round_of(const AnyNetwork& network, const EdgeColouring& colouring,
                             Colour start) {
    const NodeId n = network.node_count();
    std::vector<NodeId> observer_at(n);  // the node where the observer that is here began
    std::iota(observer_at.begin(), observer_at.end(), NodeId{0});
    std::vector<Colour> moved_by(n, no_colour);
    const auto classes = colouring.classes(network);
    for (Colour step = 0; step < colouring.colour_count; ++step) {
        const auto colour =
            static_cast<Colour>((std::uint64_t{start} + step) % colouring.colour_count);
        for (const Ends link : classes[colour]) {
            for (const NodeId end : {link.tail, link.head}) {
                if (std::exchange(moved_by[end], colour) == colour)
                    throw InputError("edge colouring: node " + std::to_string(end) +
                                     " has two links of colour " + std::to_string(colour));
            }
            std::swap(observer_at[link.tail], observer_at[link.head]);
        }
    }
    std::vector<NodeId> successor(n);
    for (NodeId node = 0; node < n; ++node)
        successor[observer_at[node]] = node;
    return successor;
}

}  // namespace

ObserverTour::ObserverTour(const AnyNetwork& network, const EdgeColouring& colouring,
                           Colour start) {
    expect_colouring(network, colouring, start);
    const auto successor = round_of(network, colouring, start);
    const NodeId n = network.node_count();
    order_.reserve(n);
    position_.resize(n);
    cycle_of_.assign(n, no_node);
    for (NodeId first = 0; first < n; ++first) {
        if (cycle_of_[first] != no_node) continue;
        const auto cycle = static_cast<NodeId>(cycle_count());
        for (NodeId node = first; cycle_of_[node] == no_node; node = successor[node]) {
            cycle_of_[node] = cycle;
            position_[node] = static_cast<NodeId>(order_.size());
            order_.push_back(node);
        }
        cycle_starts_.push_back(order_.size());
    }
}

NodeId ObserverTour::gap(NodeId from, NodeId to) const {
    EQUIPOISE_ASSERT(cycle_of_[from] == cycle_of_[to]);
    if (position_[from] <= position_[to]) return position_[to] - position_[from];
    const auto length = static_cast<NodeId>(cycle(cycle_of_[from]).size());
    return length - (position_[from] - position_[to]);
}

Step stability_window(const AnyNetwork& network, const EdgeColouring& colouring) {
    const ObserverTour tour(network, colouring);
    std::vector<std::uint64_t> lengths;
    for (std::size_t cycle = 0; cycle < tour.cycle_count(); ++cycle)
        lengths.push_back(tour.cycle(cycle).size());
    // Distinct lengths add up to at most n, so there are fewer than sqrt(2n) of them.
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    std::uint64_t rounds = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        for (std::size_t j = i; j < lengths.size(); ++j)
            rounds = std::max(rounds, std::lcm(lengths[i], lengths[j]));
    }
    Step steps = 0;
    if (__builtin_mul_overflow(rounds, std::uint64_t{colouring.colour_count}, &steps))
        throw OverflowError("stability window");
    return steps;
}

}  // namespace equipoise::network
