#include "equipoise/network/structure/matchings.hpp"

#include <bit>

#include "equipoise/network/structure/edge_colouring.hpp"

namespace equipoise::network {

std::uint64_t Matching::size() const {
    std::uint64_t matched = 0;
    for (const NodeId other : partner)
        if (other != no_node) ++matched;
    return matched / 2;
}

std::vector<Ends> Matching::links() const {
    std::vector<Ends> links;
    for (NodeId node = 0; node < partner.size(); ++node)
        if (partner[node] != no_node && node < partner[node])
            links.push_back({node, partner[node]});
    return links;
}

bool is_matching(const AnyNetwork& network, const Matching& matching) {
    if (matching.partner.size() != network.node_count()) return false;
    return network.visit([&](const auto& graph) {
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            const NodeId other = matching.partner[node];
            if (other == no_node) continue;
            if (other >= graph.node_count() || matching.partner[other] != node) return false;
            if (!port_to(graph, node, other)) return false;
        }
        return true;
    });
}

bool is_maximal(const AnyNetwork& network, const Matching& matching) {
    if (!is_matching(network, matching)) return false;
    return network.visit([&](const auto& graph) {
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            if (matching.partner[node] != no_node) continue;
            for (Port port = 0; port < graph.degree(node); ++port)
                if (matching.partner[graph.neighbour(node, port)] == no_node) return false;
        }
        return true;
    });
}

Matching greedy_matching(const AnyNetwork& network) {
    Matching matching;
    matching.partner.assign(network.node_count(), no_node);
    network.visit([&](const auto& graph) {
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            for (Port port = 0; port < graph.degree(node); ++port) {
                if (matching.partner[node] != no_node) break;
                const NodeId other = graph.neighbour(node, port);
                if (matching.partner[other] != no_node) continue;
                matching.partner[node] = other;
                matching.partner[other] = node;
            }
        }
    });
    return matching;
}

MatchingSequence natural_matchings(const Grid& grid) {
    MatchingSequence sequence = colour_grid(grid).classes(grid);
    // The link that closes a ring joins the ends of a line: it points from the last to the first.
    for (std::vector<Ends>& matching : sequence) {
        for (Ends& link : matching) {
            std::size_t axis = 0;
            while (grid.coordinate(link.tail, axis) == grid.coordinate(link.head, axis))
                ++axis;
            if (link.head - link.tail != grid.stride(axis)) std::swap(link.tail, link.head);
        }
    }
    return sequence;
}

MatchingSequence hypercube_matchings(unsigned dimension) {
    MatchingSequence sequence(dimension);
    const NodeId nodes = NodeId{1} << dimension;
    for (unsigned bit = 0; bit < dimension; ++bit) {
        sequence[bit].reserve(nodes / 2);
        for (NodeId node = 0; node < nodes; ++node)
            if ((node >> bit & 1U) == 0) sequence[bit].push_back({node, node | NodeId{1} << bit});
    }
    return sequence;
}

bool is_hypercube(const AnyNetwork& network) {
    const NodeId nodes = network.node_count();
    if (!std::has_single_bit(nodes)) return false;
    const auto dimension = static_cast<Port>(std::countr_zero(nodes));
    if (network.degree_min() != dimension || network.degree_max() != dimension) return false;
    return network.visit([&](const auto& graph) {
        for (NodeId node = 0; node < nodes; ++node)
            for (Port port = 0; port < dimension; ++port)
                if (!std::has_single_bit(node ^ graph.neighbour(node, port))) return false;
        return true;
    });
}

MatchingSequence natural_matchings(const AnyNetwork& network) {
    if (network.grid() != nullptr) return natural_matchings(*network.grid());
    if (is_hypercube(network))
        return hypercube_matchings(static_cast<unsigned>(std::countr_zero(network.node_count())));
    return colour_edges(network).classes(*network.stored());
}

}  // namespace equipoise::network
