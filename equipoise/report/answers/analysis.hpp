#pragma once
// Theory about one network, as text and as JSON.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/analysis/construct_subgraph.hpp"
#include "equipoise/analysis/convergence.hpp"
#include "equipoise/analysis/exchange_ratio.hpp"
#include "equipoise/analysis/expansion.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/theory/theorems.hpp"

namespace equipoise::report {

/// A gap of a tree, with the reason why two observers this far apart differ by at most `stability`
/// tokens once all is stable.
struct GapFigures {
    std::uint64_t gap = 0;              ///< rounds from one observer to the other
    std::uint64_t stability = 0;        ///< the most tokens by which they may differ
    std::vector<std::string> subgraph;  ///< names of `gap` connected nodes, by CONSTRUCT SUBGRAPH
    std::uint32_t iterations = 0;       ///< of CONSTRUCT SUBGRAPH
    analysis::GapDecomposition sums;    ///< the gap as sums of stable gaps
};

/// Houle, Symvonis, Wood 2004, Sections 4.1 to 4.4.
struct ObserverFigures {
    Step round = 0;                               ///< steps: chi
    std::vector<std::vector<std::string>> tours;  ///< names in the c-ordering of every cycle, c = 0
    Step stability_window = 0;                    ///< steps
    /// The largest discrepancy that threshold-1 can leave for ever, tokens: the diameter of the
    /// meeting graph. Nothing if the network is not connected or has too many nodes.
    std::optional<std::uint64_t> kept_discrepancy;
    std::vector<std::uint64_t> stable_gaps;  ///< SG_1, of a tree
    std::optional<GapFigures> gap;           ///< of a tree of three nodes or more
};

/// A theorem's bound on the instance.
struct AppliedBound {
    const theory::Theorem* theorem = nullptr;
    double value = 0;
};

/// An algorithm that suits the network, and why.
struct Recommendation {
    std::string algorithm;
    std::string reason;
};

/// The result of `equipoise analyze`.
struct Analysis {
    std::uint64_t nodes = 0;
    std::uint64_t links = 0;
    Port degree_min = 0;
    Port degree_max = 0;
    bool connected = false;
    bool bipartite = false;
    bool tree = false;
    bool vertex_transitive_known = false;
    std::optional<network::DiameterBounds> diameter;  ///< of a connected network
    std::optional<Colour> colours;                    ///< of the edge colouring in use

    analysis::Convergence diffusion;  ///< with weights 1 / (max(deg u, deg v) + 1)
    analysis::Convergence circuit;    ///< of the natural matchings
    std::optional<analysis::EdgeExpansion> expansion;
    std::optional<std::uint64_t> stable_discrepancy;        ///< MSD of a tree, tokens
    std::optional<analysis::ExchangeRatio> exchange_ratio;  ///< of a tree, if asked for

    std::optional<ObserverFigures> observers;  ///< if asked for

    theory::InstanceSummary summary;
    std::vector<AppliedBound> bounds;
    /// Theorems whose hypotheses fail or are not known to hold.
    std::vector<const theory::Theorem*> refused;
    std::vector<Recommendation> recommendations;
    std::vector<std::string> left_out;  ///< figures that would take too long, and why
};

/// The analysis as a text for people, in lines of `width` columns (0: no limit); `loads` names the
/// loads that the bounds are for.
[[nodiscard]] std::string analysis_text(const Analysis& analysis, std::string_view network,
                                        std::string_view loads, std::size_t width = 0);
/// The object of `equipoise analyze --json`.
[[nodiscard]] std::string analysis_json(const Analysis& analysis);

}  // namespace equipoise::report
