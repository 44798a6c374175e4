#pragma once
// What theory says about one network: its figures, certified if possible, the bounds of every
// theorem, and which algorithms suit it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/analysis/expansion.hpp"
#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/catalogue/registry/convergence.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/studies/observers.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/io/round_files.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/theory/theorems.hpp"

namespace equipoise::catalogue {

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

    Convergence diffusion;  ///< with weights 1 / (max(deg u, deg v) + 1)
    Convergence circuit;    ///< of the natural matchings
    std::optional<analysis::EdgeExpansion> expansion;
    std::optional<std::uint64_t> stable_discrepancy;  ///< MSD of a tree, tokens

    std::optional<ObserverFigures> observers;  ///< where asked for

    theory::InstanceSummary summary;
    std::vector<AppliedBound> bounds;
    std::vector<const theory::Theorem*> refused;  ///< whose hypotheses fail or are not known
    std::vector<Recommendation> recommendations;
    std::vector<std::string> left_out;  ///< figures that would take too long, and why
};

struct AnalyzeOptions {
    /// Work for one local divergence: about a minute and a half on one core.
    ConvergenceEffort effort{.link_visits = 1e11, .links_max = 20'000'000, .threads = 1};
    /// The diffusion and the circuit to analyse; empty: the natural ones.
    network::RoundWeights weights = {};
    network::MatchingSequence matchings = {};
    /// Also the tours of observers and, for a tree, this gap (0: the hardest).
    std::optional<std::uint64_t> observers_gap = {};
};

/// Analyses a network; bounds that depend on loads are for these loads. Throws for no shape of
/// network, only for a gap that the network does not have: what does not apply is absent. Cost:
/// seconds for networks of some thousand nodes; a minute or two for a million.
[[nodiscard]] Analysis analyze(const NetworkFacts& facts, const load::Loads& loads,
                               const AnalyzeOptions& options = {});

/// The analysis as a text for people; `loads` says what the bounds are for.
[[nodiscard]] std::string analysis_text(const Analysis& analysis, std::string_view network,
                                        std::string_view loads);
/// The object of `equipoise analyze --json`.
[[nodiscard]] std::string analysis_json(const Analysis& analysis);

}  // namespace equipoise::catalogue
