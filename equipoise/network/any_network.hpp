#pragma once
// A network of either kind, with the names of its nodes and where they are drawn.

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::network {

/// Where a node is drawn; longitude and latitude in networks of the real world.
struct Position {
    double x = 0;
    double y = 0;
    friend bool operator==(const Position&, const Position&) = default;
};

/// What a file or generator knows of a network besides its links.
struct Labels {
    /// The name of every node, or empty: then names are `first_number`, `first_number` + 1, ...
    std::vector<std::string> names;
    NodeId first_number = 0;
    /// Positions of all nodes, or empty.
    std::vector<Position> positions;
    /// The generator's spec or the file it came from.
    std::string origin;
    /// The seed, if the network was drawn at random.
    std::uint64_t seed = 0;

    [[nodiscard]] std::string name(NodeId node) const {
        if (!names.empty()) return names[node];
        return std::to_string(std::uint64_t{node} + first_number);
    }
};

/// A stored or implicit network behind one type; algorithms reach the concrete one by `visit`.
class AnyNetwork {
  public:
    // Special members are defined in the library, so that callers need not compile them.
    AnyNetwork();
    AnyNetwork(Network network);
    AnyNetwork(Network network, Labels labels);
    AnyNetwork(Grid grid);
    AnyNetwork(Grid grid, Labels labels);
    AnyNetwork(const AnyNetwork& other);
    AnyNetwork(AnyNetwork&& other) noexcept;
    AnyNetwork& operator=(const AnyNetwork& other);
    AnyNetwork& operator=(AnyNetwork&& other) noexcept;
    ~AnyNetwork();

    /// Calls `f` with the Network or the Grid.
    template <class F>
    decltype(auto) visit(F&& f) const {
        if (const Network* found = stored()) return std::forward<F>(f)(*found);
        return std::forward<F>(f)(*grid());
    }
    [[nodiscard]] NodeId node_count() const {
        return stored() != nullptr ? stored()->node_count() : grid()->node_count();
    }
    [[nodiscard]] LinkId link_count() const {
        return stored() != nullptr ? stored()->link_count() : grid()->link_count();
    }
    [[nodiscard]] Port degree(NodeId node) const {
        return stored() != nullptr ? stored()->degree(node) : grid()->degree(node);
    }
    [[nodiscard]] Port degree_max() const {
        return stored() != nullptr ? stored()->degree_max() : grid()->degree_max();
    }
    [[nodiscard]] Port degree_min() const {
        return stored() != nullptr ? stored()->degree_min() : grid()->degree_min();
    }
    [[nodiscard]] NodeId neighbour(NodeId node, Port port) const {
        return stored() != nullptr ? stored()->neighbour(node, port)
                                   : grid()->neighbour(node, port);
    }
    [[nodiscard]] LinkId link(NodeId node, Port port) const {
        return stored() != nullptr ? stored()->link(node, port) : grid()->link(node, port);
    }
    [[nodiscard]] Ends ends(LinkId link) const {
        return stored() != nullptr ? stored()->ends(link) : grid()->ends(link);
    }
    /// The implicit grid, or null when the network is stored.
    [[nodiscard]] const Grid* grid() const { return std::get_if<Grid>(&graph_); }
    /// The stored network, or null when it is implicit.
    [[nodiscard]] const Network* stored() const { return std::get_if<Network>(&graph_); }

    [[nodiscard]] const Labels& labels() const { return labels_; }
    [[nodiscard]] Labels& labels() { return labels_; }
    [[nodiscard]] std::string name(NodeId node) const { return labels_.name(node); }

  private:
    std::variant<Network, Grid> graph_;
    Labels labels_;
};

/// The ends of all links in the order of their numbers. Cost O(links).
[[nodiscard]] std::vector<Ends> all_links(const AnyNetwork& network);

}  // namespace equipoise::network
