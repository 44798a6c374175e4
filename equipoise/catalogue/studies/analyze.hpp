#pragma once
// Theory about one network: its figures, certified if possible, the bounds of every theorem, and
// which algorithms suit it.

#include <cstdint>
#include <optional>
#include <string>

#include "equipoise/catalogue/registry/convergence.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/io/round_files.hpp"
#include "equipoise/network/structure/matchings.hpp"
#include "equipoise/report/answers/analysis.hpp"

namespace equipoise::catalogue {

/// The options of analyses, named as on the command line, where --help describes them.
struct AnalyzeRequest {
    TextOr<load::Loads> loads = {"spike:tokens=1000"};
    std::uint64_t seed = 0;
    int threads = 1;
    TextOr<network::RoundWeights> matrix = {};
    TextOr<network::MatchingSequence> matchings = {};
    bool observers = false;
    std::uint64_t gap = 0;  ///< of a tree, for observers; 0: the hardest; others imply `observers`
    bool exchange_ratio = false;

    /// Throws InputError for files that are not there.
    void check() const;
};

struct AnalyzeOptions {
    /// Work for one local divergence: about a minute and a half on one core.
    ConvergenceEffort effort{.link_visits = 1e11, .links_max = 20'000'000, .threads = 1};
    /// The diffusion and the circuit to analyse; empty: the natural ones.
    network::RoundWeights weights = {};
    network::MatchingSequence matchings = {};
    /// Also finds the tours of observers and, for a tree, studies this gap (0: the hardest).
    std::optional<std::uint64_t> observers_gap = {};
    /// Also finds the best exchange ratio of a tree: O(nodes^3).
    bool exchange_ratio = false;
};

/// Throws InputError if an analysis of the network of a spec would take more memory than there is
/// (`equipoise::expect_memory`); files are judged when they have been read.
void expect_analysis_to_fit(const std::string& spec);

/// Analyses a network; bounds that depend on loads are for these loads. Results that do not apply
/// to the network are absent, as are eigenvalues that would take more memory than there is. Throws
/// InputError only for a gap that the network does not have, and if the rest does not fit into
/// memory. Cost: seconds for networks of some thousand nodes; a minute or two for a million.
[[nodiscard]] report::Analysis analyze(const NetworkFacts& facts, const load::Loads& loads,
                                       const AnalyzeOptions& options = {});

/// The same for the options of the command line and of Python. Throws InputError as the readers of
/// files do.
[[nodiscard]] report::Analysis analyze(const AnalyzeRequest& request,
                                       const network::AnyNetwork& network);

}  // namespace equipoise::catalogue
