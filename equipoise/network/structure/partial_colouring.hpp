#pragma once
// A partial edge colouring with Kempe chains: what Vizing's and Koenig's constructions share.

#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/network/structure/colour_table.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"

namespace equipoise::network {

/// Colours of links, kept proper by its user; a link is named by one of its arcs.
class PartialColouring {
  public:
    struct Arc {
        NodeId node = no_node;
        Port port = no_port;
    };

    explicit PartialColouring(const Network& network)
        : network_(network), table_(network), by_link_(network.link_count(), no_colour) {}

    [[nodiscard]] Colour colour(Arc arc) const {
        return by_link_[network_.link(arc.node, arc.port)];
    }
    [[nodiscard]] NodeId other(Arc arc) const { return network_.neighbour(arc.node, arc.port); }
    [[nodiscard]] ColourTable& table() { return table_; }

    /// Gives an uncoloured link its colour; both of its arcs must be known.
    void set(Arc arc, Arc back, Colour colour) {
        by_link_[network_.link(arc.node, arc.port)] = colour;
        table_.insert(arc.node, colour, arc.port);
        table_.insert(back.node, colour, back.port);
    }
    /// Takes a link's colour away; returns the link's other arc.
    Arc clear(Arc arc) {
        Colour& colour = by_link_[network_.link(arc.node, arc.port)];
        const NodeId across = other(arc);
        const Arc back{across, table_.find(across, colour)};
        table_.erase(arc.node, colour);
        table_.erase(across, colour);
        colour = no_colour;
        return back;
    }
    /// Exchanges the colours along the longest path from `node` whose links alternate `first`,
    /// `second`, `first`, ...; `second` must be free at `node`.
    void flip_chain(NodeId node, Colour first, Colour second) {
        arcs_.clear();
        for (Colour colour = first;; colour = colour == first ? second : first) {
            const Port port = table_.find(node, colour);
            if (port == no_port) break;
            arcs_.push_back({node, port});
            node = other(arcs_.back());
        }
        backs_.clear();
        for (const Arc arc : arcs_)
            backs_.push_back(clear(arc));
        Colour colour = second;
        for (std::size_t i = 0; i < arcs_.size(); ++i) {
            set(arcs_[i], backs_[i], colour);
            colour = colour == first ? second : first;
        }
    }
    /// The colouring, without colours that no link has.
    [[nodiscard]] EdgeColouring finish() {
        std::vector<Colour> renamed;
        for (const Colour colour : by_link_) {
            if (renamed.size() <= colour) renamed.resize(std::size_t{colour} + 1, no_colour);
            renamed[colour] = 0;
        }
        EdgeColouring result;
        for (Colour& name : renamed)
            if (name != no_colour) name = result.colour_count++;
        result.by_link = std::move(by_link_);
        for (Colour& colour : result.by_link)
            colour = renamed[colour];
        return result;
    }

  private:
    const Network& network_;
    ColourTable table_;
    std::vector<Colour> by_link_;
    std::vector<Arc> arcs_;
    std::vector<Arc> backs_;
};

/// Calls `visit(arc from the smaller end, arc from the larger end)` for every link in ascending
/// order. Links are in the order of (smaller, larger end), so a node meets its ports in order.
template <class Visit>
void for_each_link_with_arcs(const Network& network, Visit&& visit) {
    std::vector<Port> next(network.node_count(), 0);
    for (const Ends& ends : network.links()) {
        const PartialColouring::Arc from_tail{ends.tail, next[ends.tail]++};
        const PartialColouring::Arc from_head{ends.head, next[ends.head]++};
        visit(from_tail, from_head);
    }
}

}  // namespace equipoise::network
