#pragma once
// Facts about a network that algorithms need before they run, each computed once, when it is first
// needed.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/catalogue/registry/convergence.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"
#include "equipoise/network/structure/given_structures.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::analysis {
struct LaplacianSpectrum;
struct LaplacianEnds;
}  // namespace equipoise::analysis

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
    explicit NetworkFacts(const network::AnyNetwork& network, network::GivenStructures given = {})
        : network_(&network), given_(std::move(given)) {}

    [[nodiscard]] const network::AnyNetwork& network() const { return *network_; }
    [[nodiscard]] const network::GivenStructures& given() const { return given_; }
    [[nodiscard]] bool connected() const;
    [[nodiscard]] bool tree() const;
    /// Throws UnsuitableError when the network is not connected.
    [[nodiscard]] network::DiameterBounds diameter() const;
    /// Colours of the network's schedule: those of `colouring`, or of the implicit grid.
    [[nodiscard]] Colour colour_count() const;
    /// The given colouring, or the best that the library can find.
    [[nodiscard]] const network::EdgeColouring& colouring() const;
    /// The matchings of the given colouring, else the natural ones (network::natural_matchings):
    /// those of the network's shape or, if it has none of its own, of `colouring`.
    [[nodiscard]] const network::MatchingSequence& natural_matchings() const;
    /// Consecutive quiet steps after which THRESHOLD-1 is stable for ever (see
    /// network::stability_window).
    [[nodiscard]] Step stability_window() const;
    /// The network with its links stored: a copy if it is an implicit grid.
    [[nodiscard]] const network::Network& stored() const;
    /// The network itself if it is a tree, otherwise a spanning tree of this kind. Throws
    /// UnsuitableError when the network is not connected, InputError if the caller's tree is
    /// required and none was given.
    [[nodiscard]] const ColouredTree& coloured_tree(network::SpanningTree kind) const;
    [[nodiscard]] const ColouredTree& coloured_tree() const { return coloured_tree(given_.tree); }

    /// How an idealised process on this network converges, computed once for every key (the name of
    /// the process) by `compute`.
    [[nodiscard]] const analysis::Convergence& convergence(
        const std::string& key, const std::function<analysis::Convergence()>& compute) const;

    /// The distinct eigenvalues of the Laplacian, and the smallest and the largest (see analysis/
    /// laplacian_spectrum.hpp). They throw UnsuitableError if the library cannot find them.
    [[nodiscard]] const analysis::LaplacianSpectrum& laplacian_spectrum() const;
    [[nodiscard]] const analysis::LaplacianEnds& laplacian_ends() const;
    /// The same, or null where the call above throws UnsuitableError.
    [[nodiscard]] const analysis::LaplacianEnds* known_laplacian_ends() const;

    /// The number of steps that `compute` finds for a process from these loads, named by `key`;
    /// remembered for the loads used last. If it finds none: 0, and not remembered.
    [[nodiscard]] Step steps_from(const load::Loads& loads, Tokens key,
                                  const std::function<std::optional<Step>()>& compute) const;

  private:
    [[nodiscard]] network::Network spanning_tree(network::SpanningTree kind) const;

    const network::AnyNetwork* network_;
    network::GivenStructures given_;
    mutable std::optional<bool> connected_;
    mutable std::optional<network::DiameterBounds> diameter_;
    mutable std::optional<network::EdgeColouring> colouring_;
    mutable std::optional<network::MatchingSequence> matchings_;
    mutable std::optional<Step> window_;
    mutable std::optional<network::Network> stored_;
    mutable std::map<network::SpanningTree, ColouredTree> coloured_trees_;
    mutable std::map<std::string, analysis::Convergence> convergence_;
    mutable std::shared_ptr<const analysis::LaplacianSpectrum> laplacian_spectrum_;
    mutable std::shared_ptr<const analysis::LaplacianEnds> laplacian_ends_;
    mutable load::Loads loads_;
    mutable std::map<Tokens, Step> steps_from_loads_;
};

}  // namespace equipoise::catalogue
