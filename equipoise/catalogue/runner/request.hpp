#pragma once
// The request of a run, as the command line and Python make it, and its meaning.

#include <cstdint>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/catalogue/registry/parameters.hpp"
#include "equipoise/catalogue/runner/option.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/io/round_files.hpp"
#include "equipoise/network/structure/given_structures.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::catalogue {

/// The request of a run; run_option.hpp declares the options.
struct RunRequest {
    RunOptions options;   ///< those that a run takes as they are given
    std::string reorder;  ///< network::NodeOrder
    std::string stop;
    TextOr<load::Loads> speeds;  ///< a file or one speed a node
    TextOr<network::MatchingSequence> matchings;
    TextOr<network::RoundWeights> matrix;
    TextOr<std::vector<Ends>> tree;
    TextOr<network::MatchingSequence> colouring;
    bool extremes = false;  ///< keep all that `report::extremes_of` needs
    bool recovery = false;  ///< the same for `report::recovery_of`, with churn
    bool optimum = false;   ///< also find the best possible; left to those who play the run
};

/// Throws InputError for a text that is wrong on every network: a word that is none of those
/// expected, a rule that cannot be read, a file that is not there.
void check(const RunRequest& request);

/// `name=value` pairs. Throws InputError for anything else and for a name given twice.
[[nodiscard]] ParameterTexts parameter_texts(const std::vector<std::string>& pairs);

/// The library's options for a run on this network. Throws InputError as the readers of files do;
/// `run` checks the values.
[[nodiscard]] RunOptions run_options(const RunRequest& request, const network::AnyNetwork& network);

/// The tree and the colouring that are given. Throws InputError unless they are a spanning tree and
/// an edge colouring of the network.
[[nodiscard]] network::GivenStructures structures_of(const RunRequest& request,
                                                     const network::AnyNetwork& network);

/// Throws InputError if there are no loads.
void expect_loads_given(const TextOr<load::Loads>& loads);
/// The loads that are given by a spec, by a file or one a node. Throws as `make_loads`, and
/// InputError if none are given or not one for each node.
[[nodiscard]] load::Loads loads_of(const TextOr<load::Loads>& loads,
                                   const network::AnyNetwork& network, std::uint64_t seed);
/// The matchings that are given by a name (network::named_matchings), by a file or as such; empty
/// if none are. Throws InputError unless they are matchings of the network.
[[nodiscard]] network::MatchingSequence matchings_of(
    const TextOr<network::MatchingSequence>& matchings, const network::AnyNetwork& network);
/// The weights that are given by a file or as such; empty if none are. Throws InputError unless
/// they are a round matrix of the network.
[[nodiscard]] network::RoundWeights weights_of(const TextOr<network::RoundWeights>& matrix,
                                               const network::AnyNetwork& network);

/// Throws InputError if the text names a file that cannot be opened; matchings may have a name.
void expect_file_there(const std::string& text);
void expect_matchings_there(const TextOr<network::MatchingSequence>& matchings);

/// Makes a run, one of `runs` on this many nodes, keep what the page shows: every transfer on small
/// networks, loads at some moments on others, in memory that all runs share.
void keep_for_page(RunOptions& options, NodeId nodes, std::size_t runs);

}  // namespace equipoise::catalogue
