#pragma once
// Borrows a network of any kind: stored, implicit, or one rank's rows of a network that no rank
// holds whole.

#include <utility>
#include <variant>

#include "equipoise/base/ids.hpp"
#include "equipoise/engine/parts/piece.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// Everything that engines ask of a network, so that they are compiled once instead of once for
/// each kind of network. The network must outlive it. A piece knows only the rows of its own nodes,
/// and the degrees of their neighbours.
class Graph {
  public:
    Graph(const network::Network& network) : network_(&network) {}
    Graph(const network::Grid& network) : network_(&network) {}
    Graph(const Piece& piece) : network_(&piece) {}
    Graph(const network::AnyNetwork& network)
        : network_(network.visit([](const auto& kind) { return Borrowed(&kind); })) {}

    /// Calls `look` with the network itself, for loops that must know its type.
    template <class Look>
    [[nodiscard]] decltype(auto) visit(const Look& look) const {
        return std::visit([&](const auto* network) { return look(*network); }, network_);
    }

    [[nodiscard]] NodeId node_count() const {
        return visit([](const auto& network) { return network.node_count(); });
    }
    [[nodiscard]] LinkId link_count() const {
        return visit([](const auto& network) { return network.link_count(); });
    }
    [[nodiscard]] Port degree(NodeId node) const {
        return visit([&](const auto& network) { return network.degree(node); });
    }
    [[nodiscard]] NodeId neighbour(NodeId node, Port port) const {
        return visit([&](const auto& network) { return network.neighbour(node, port); });
    }
    [[nodiscard]] LinkId link(NodeId node, Port port) const {
        return visit([&](const auto& network) { return network.link(node, port); });
    }
    /// Both ends of a link; only for whole networks.
    [[nodiscard]] Ends ends(LinkId link) const;
    /// The stored network; null if the network is of another kind.
    [[nodiscard]] const network::Network* stored() const {
        const auto* const found = std::get_if<const network::Network*>(&network_);
        return found == nullptr ? nullptr : *found;
    }

    /// The implicit grid; null if the network is of another kind.
    [[nodiscard]] const network::Grid* grid() const {
        const auto* const found = std::get_if<const network::Grid*>(&network_);
        return found == nullptr ? nullptr : *found;
    }

  private:
    using Borrowed = std::variant<const network::Network*, const network::Grid*, const Piece*>;
    Borrowed network_;
};

}  // namespace equipoise::engine
