#include "equipoise/network/structure/edge_colouring.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/network/structure/bipartite.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/network/structure/partial_colouring.hpp"

namespace equipoise::network {

EdgeColouring colour_tree(const Network& tree) {
    EdgeColouring colouring;
    colouring.colour_count = tree.degree_max();
    colouring.by_link.assign(tree.link_count(), no_colour);
    // A node gives its links colours 0, 1, 2, ... in turn, leaving out the colour of the link
    // through which it was reached: with degree d it needs only max(d, that colour + 1) colours.
    std::vector<LinkId> reached_by(tree.node_count(), no_link);
    std::vector<bool> reached(tree.node_count(), false);
    std::vector<NodeId> queue;
    for (NodeId root = 0; root < tree.node_count(); ++root) {
        if (reached[root]) continue;
        reached[root] = true;
        queue.assign(1, root);
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const NodeId node = queue[i];
            const LinkId up = reached_by[node];
            const Colour taken = up == no_link ? no_colour : colouring.by_link[up];
            Colour colour = 0;
            for (Port port = 0; port < tree.degree(node); ++port) {
                const LinkId link = tree.link(node, port);
                if (link == up) continue;
                const NodeId other = tree.neighbour(node, port);
                if (reached[other])
                    throw UnsuitableError(
                        "this colouring needs a tree, found a cycle through nodes " +
                        std::to_string(node) + " and " + std::to_string(other));
                reached[other] = true;
                reached_by[other] = link;
                queue.push_back(other);
                if (colour == taken) ++colour;
                colouring.by_link[link] = colour++;
            }
        }
    }
    return colouring;
}

EdgeColouring colour_grid(const Grid& grid) {
    EdgeColouring colouring;
    std::vector<Colour> first_of(grid.dimension());
    for (std::size_t axis = 0; axis < grid.dimension(); ++axis) {
        const NodeId side = grid.sides()[axis];
        first_of[axis] = colouring.colour_count;
        colouring.colour_count += grid.closed(axis) && side % 2 == 1 ? 3U : std::min(side - 1, 2U);
    }
    colouring.by_link.reserve(grid.link_count());
    for (NodeId node = 0; node < grid.node_count(); ++node) {
        for (Port port = 0; port < grid.degree(node); ++port) {
            const NodeId other = grid.neighbour(node, port);
            if (other < node) continue;
            // Along an axis numbers differ by at least its stride and by less than the one before;
            // axes of side 1 repeat the stride of the next and have no links.
            std::size_t axis = 0;
            while (grid.stride(axis) > other - node || grid.sides()[axis] == 1)
                ++axis;
            const NodeId side = grid.sides()[axis];
            const bool wraps = other - node != grid.stride(axis);
            // The link that closes a ring starts at the ring's last node.
            const NodeId start = wraps ? side - 1 : grid.coordinate(node, axis);
            const Colour colour = wraps && side % 2 == 1 ? 2 : start % 2;
            colouring.by_link.push_back(first_of[axis] + colour);
        }
    }
    return colouring;
}

namespace {

// Vizing's theorem made constructive: Delta + 1 colours for any simple graph.
// Problem: colour the uncoloured link u-v when all links before it are coloured.
// Source: Misra and Gries 1992; the fan follows one free colour a node, so it takes O(degree).
// The fan at u is v = f_0, f_1, ..., f_k, where u-f_(i+1) has the colour chosen free at f_i.
// With c free at u: if the colour d chosen free at f_k is free at u, shift colours down the fan.
// Otherwise u-f_j has colour d; flip the c-d chain from u. It cannot end both at f_(j-1) and at
// f_k, so d is free at one of them while the fan up to there still holds: shift up to that node.
class MisraGries {
  public:
    explicit MisraGries(const Network& network)
        : network_(network), colouring_(network), position_(network.degree_max(), absent) {}

    void colour(PartialColouring::Arc arc, PartialColouring::Arc back) {
        const NodeId u = arc.node;
        ColourTable& table = colouring_.table();
        const Colour c = table.free_colour(u);
        if (table.is_free(back.node, c)) return colouring_.set(arc, back, c);
        const Colour simple = table.free_colour(back.node);
        if (table.is_free(u, simple)) return colouring_.set(arc, back, simple);

        std::size_t last = 0;
        Colour d = simple;
        fan_.assign(1, arc.port);
        position_[arc.port] = 0;
        std::size_t again = absent;
        while (true) {
            const Port port = table.find(u, d);
            if (port == no_port) break;
            if (position_[port] != absent) {
                again = position_[port];
                break;
            }
            position_[port] = fan_.size();
            fan_.push_back(port);
            last = fan_.size() - 1;
            d = table.free_colour(network_.neighbour(u, port));
        }
        for (const Port port : fan_)
            position_[port] = absent;
        if (again != absent) {
            colouring_.flip_chain(u, d, c);
            const NodeId before = network_.neighbour(u, fan_[again - 1]);
            if (table.is_free(before, d)) last = again - 1;
        }
        shift(u, back, last, d);
    }

    [[nodiscard]] EdgeColouring finish() { return colouring_.finish(); }

  private:
    static constexpr std::size_t absent = ~std::size_t{0};

    /// Gives every fan link up to `last` the colour of the next one, and the last one `d`.
    void shift(NodeId u, PartialColouring::Arc back, std::size_t last, Colour d) {
        for (std::size_t i = 0; i < last; ++i) {
            const PartialColouring::Arc next{u, fan_[i + 1]};
            const Colour colour = colouring_.colour(next);
            const PartialColouring::Arc next_back = colouring_.clear(next);
            colouring_.set({u, fan_[i]}, back, colour);
            back = next_back;
        }
        colouring_.set({u, fan_[last]}, back, d);
    }

    const Network& network_;
    PartialColouring colouring_;
    std::vector<Port> fan_;              ///< ports of u
    std::vector<std::size_t> position_;  ///< place in the fan of every port of u, or `absent`
};

}  // namespace

EdgeColouring colour_misra_gries(const Network& network) {
    MisraGries algorithm(network);
    for_each_link_with_arcs(network, [&](auto arc, auto back) { algorithm.colour(arc, back); });
    return algorithm.finish();
}

EdgeColouring colour_edges(const AnyNetwork& network) {
    if (network.grid() != nullptr) return colour_grid(*network.grid());
    const Network& graph = *network.stored();
    if (is_tree(network)) return colour_tree(graph);
    return bipartition(network).bipartite() ? colour_bipartite(graph) : colour_misra_gries(graph);
}

bool is_proper(const AnyNetwork& network, const EdgeColouring& colouring) {
    if (colouring.by_link.size() != network.link_count()) return false;
    for (const Colour colour : colouring.by_link)
        if (colour >= colouring.colour_count) return false;
    return network.visit([&](const auto& graph) {
        std::vector<NodeId> last_seen_at(colouring.colour_count, no_node);
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            for (Port port = 0; port < graph.degree(node); ++port) {
                NodeId& seen = last_seen_at[colouring.by_link[graph.link(node, port)]];
                if (seen == node) return false;
                seen = node;
            }
        }
        return true;
    });
}

}  // namespace equipoise::network
