#include "equipoise/analysis/meeting_graph.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/network/structure/observer_tour.hpp"

namespace equipoise::analysis {

namespace {

NodeId expect_few(const network::AnyNetwork& network) {
    if (network.node_count() > MeetingGraph::nodes_max)
        throw UnsuitableError("meetings of observers: expected at most " +
                              std::to_string(MeetingGraph::nodes_max) + " nodes, found " +
                              std::to_string(network.node_count()));
    return network.node_count();
}

/// successor[v]: where the observer that is at v is one round later.
std::vector<NodeId> successors(const network::ObserverTour& tour) {
    std::vector<NodeId> successor(tour.node_count());
    for (std::size_t index = 0; index < tour.cycle_count(); ++index) {
        const auto cycle = tour.cycle(index);
        for (std::size_t place = 0; place < cycle.size(); ++place)
            successor[cycle[place]] = cycle[(place + 1) % cycle.size()];
    }
    return successor;
}

}  // namespace

MeetingGraph::MeetingGraph(const network::AnyNetwork& network,
                           const network::EdgeColouring& colouring, Colour start)
    : nodes_(expect_few(network)),
      words_((std::size_t{nodes_} + 63) / 64),
      rows_(words_ * nodes_, 0) {
    const network::ObserverTour tour(network, colouring, start);
    const std::vector<NodeId> successor = successors(tour);
    std::vector<NodeId> observer_at(nodes_);
    std::iota(observer_at.begin(), observer_at.end(), NodeId{0});
    const auto classes = colouring.classes(network);
    for (Colour step = 0; step < colouring.colour_count; ++step) {
        for (const Ends link : classes[(start + step) % colouring.colour_count]) {
            NodeId one = observer_at[link.tail];
            NodeId other = observer_at[link.head];
            // What a pair does in this round, the pair of its successors did a round before. A pair
            // that is known was followed through all rounds.
            while (!meet(one, other)) {
                join(one, other);
                one = successor[one];
                other = successor[other];
            }
            std::swap(observer_at[link.tail], observer_at[link.head]);
        }
    }
}

void MeetingGraph::join(NodeId one, NodeId other) {
    rows_[one * words_ + other / 64] |= std::uint64_t{1} << (other % 64);
    rows_[other * words_ + one / 64] |= std::uint64_t{1} << (one % 64);
}

std::vector<NodeId> MeetingGraph::distances(NodeId from) const {
    std::vector<NodeId> distance(nodes_, no_node);
    std::vector<std::uint64_t> reached(words_, 0);
    std::vector<std::uint64_t> next(words_, 0);
    std::vector<NodeId> frontier = {from};
    distance[from] = 0;
    reached[from / 64] |= std::uint64_t{1} << (from % 64);
    for (NodeId steps = 1; !frontier.empty(); ++steps) {
        std::fill(next.begin(), next.end(), 0);
        for (const NodeId node : frontier)
            for (std::size_t word = 0; word < words_; ++word)
                next[word] |= rows_[node * words_ + word];
        frontier.clear();
        for (std::size_t word = 0; word < words_; ++word) {
            std::uint64_t fresh = next[word] & ~reached[word];
            reached[word] |= fresh;
            for (; fresh != 0; fresh &= fresh - 1) {
                const auto node =
                    static_cast<NodeId>(word * 64) + static_cast<NodeId>(std::countr_zero(fresh));
                distance[node] = steps;
                frontier.push_back(node);
            }
        }
    }
    return distance;
}

std::optional<NodeId> MeetingGraph::diameter() const {
    NodeId largest = 0;
    for (NodeId node = 0; node < nodes_; ++node) {
        const std::vector<NodeId> distance = distances(node);
        const NodeId farthest = *std::max_element(distance.begin(), distance.end());
        if (farthest == no_node) return std::nullopt;
        largest = std::max(largest, farthest);
    }
    return largest;
}

}  // namespace equipoise::analysis
