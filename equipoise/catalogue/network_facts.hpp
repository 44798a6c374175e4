#pragma once
// What algorithms need to know of a network before they run: computed when first asked for, once.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "equipoise/base/ids.hpp"
#include "equipoise/catalogue/convergence.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::catalogue {

/// A tree on the network's nodes and a colouring of its links with as many colours as its largest
/// degree.
struct ColouredTree {
    network::Network tree;
    network::EdgeColouring colouring;
};

/// Facts of one network, which must outlive them. Not for several threads at once.
class NetworkFacts {
  public:
    explicit NetworkFacts(const network::AnyNetwork& network) : network_(&network) {}

    [[nodiscard]] const network::AnyNetwork& network() const { return *network_; }
    [[nodiscard]] bool connected() const;
    [[nodiscard]] bool tree() const;
    /// Throws UnsuitableError when the network is not connected.
    [[nodiscard]] network::DiameterBounds diameter() const;
    /// Colours of the network's own schedule: those of `colouring`, or of the implicit grid.
    [[nodiscard]] Colour colour_count() const;
    [[nodiscard]] const network::EdgeColouring& colouring() const;
    /// The natural matchings (see network::natural_matchings), from `colouring` where the shape has
    /// none of its own.
    [[nodiscard]] const network::MatchingSequence& natural_matchings() const;
    /// Consecutive quiet steps after which THRESHOLD-1 is stable for ever (see
    /// network::stability_window).
    [[nodiscard]] Step stability_window() const;
    /// The network with stored links: a copy of implicit grids.
    [[nodiscard]] const network::Network& stored() const;
    /// The network itself when it is a tree, else a breadth-first spanning tree of low depth.
    /// Throws UnsuitableError when the network is not connected.
    [[nodiscard]] const ColouredTree& coloured_tree() const;

    /// How an idealised process on this network converges, computed once for every key (which names
    /// the process) by `compute`.
    [[nodiscard]] const Convergence& convergence(const std::string& key,
                                                 const std::function<Convergence()>& compute) const;

    /// The number of steps that `compute` finds for a process from these loads, named by `key`;
    /// remembered for the loads asked about last. Where it finds none: 0, and not remembered.
    [[nodiscard]] Step steps_from(const load::Loads& loads, Tokens key,
                                  const std::function<std::optional<Step>()>& compute) const;

  private:
    const network::AnyNetwork* network_;
    mutable std::optional<bool> connected_;
    mutable std::optional<network::DiameterBounds> diameter_;
    mutable std::optional<network::EdgeColouring> colouring_;
    mutable std::optional<network::MatchingSequence> matchings_;
    mutable std::optional<Step> window_;
    mutable std::optional<network::Network> stored_;
    mutable std::optional<ColouredTree> coloured_tree_;
    mutable std::map<std::string, Convergence> convergence_;
    mutable load::Loads loads_;
    mutable std::map<Tokens, Step> steps_from_loads_;
};

}  // namespace equipoise::catalogue
