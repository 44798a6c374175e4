#pragma once
// A network of any kind, borrowed: stored, implicit, or one rank's rows of one that is nowhere
// whole.

#include <utility>
#include <variant>

#include "equipoise/base/ids.hpp"
#include "equipoise/engine/parts/piece.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// What engines ask of a network, so that they are compiled once and not once a kind. The network
/// must outlive it. Of a piece only the rows of own nodes are known, and their neighbours' degrees.
class Graph {
  public:
    Graph(const network::Network& network) : network_(&network) {}
    Graph(const network::Grid& network) : network_(&network) {}
    Graph(const Piece& piece) : network_(&piece) {}
    Graph(const network::AnyNetwork& network)
        : network_(network.visit([](const auto& kind) { return Borrowed(&kind); })) {}

    /// Calls `look` with the network itself, for loops that should know its kind.
    template <class Look>
    decltype(auto) visit(const Look& look) const {
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
    /// Of networks that are whole.
    [[nodiscard]] Ends ends(LinkId link) const;
    /// The stored network; null for others.
    [[nodiscard]] const network::Network* stored() const {
        const auto* const found = std::get_if<const network::Network*>(&network_);
        return found == nullptr ? nullptr : *found;
    }

  private:
    using Borrowed = std::variant<const network::Network*, const network::Grid*, const Piece*>;
    Borrowed network_;
};

}  // namespace equipoise::engine
