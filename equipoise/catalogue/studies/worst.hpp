#pragma once
// A search for the loads that cost an algorithm most, alone or beside another algorithm.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/registry/parameters.hpp"
#include "equipoise/report/answers/worst.hpp"

namespace equipoise::catalogue {

struct WorstRequest {
    std::string algorithm;
    ParameterTexts parameters;  ///< of `algorithm`
    std::string beside;         ///< the algorithm that it is compared with; empty: none
    ParameterTexts beside_parameters;
    std::string quantity = "steps";  ///< one of `worst_quantities`
    std::uint64_t most_tokens = 4;   ///< on a node
    /// How many sets of loads are played: random ones, each followed by changes of one node's load
    /// (or swaps of two numbers) that are kept unless they cost less. Nothing: all loads that leave
    /// some node empty (under all numberings).
    std::optional<std::uint64_t> tries;
    /// Whether loads are also played under other numbers of the nodes, by which ties are broken.
    /// The order of a node's ports follows from the numbers of its neighbours.
    bool any_numbering = false;
    std::uint64_t seed = 0;         ///< of the search and of the runs
    std::optional<Step> steps_max;  ///< of every run
};

/// The words of `costs_of_runs` (studies/worst_cost.hpp): "steps", "rounds", ...
[[nodiscard]] const std::vector<std::string>& worst_quantities();

/// Throws InputError for errors that no network could make right.
void check(const WorstRequest& request);

/// Searches. After an interrupt, returns what it has found until then (`all` is false). Numberings
/// of all nodes but the first on which the algorithm cannot run are left out. Throws InputError for
/// unknown names, for more than 2^30 runs and for all numberings of more than 9 nodes;
/// UnsuitableError for a quantity that the algorithm's runs do not have; otherwise as `run` does.
[[nodiscard]] report::Worst find_worst(const WorstRequest& request, const NetworkFacts& facts,
                                       const std::stop_token& interrupt = {});

/// The same for algorithms that need no name; `beside` may be null. The names in `request` are not
/// used.
[[nodiscard]] report::Worst find_worst(const WorstRequest& request, const Algorithm& algorithm,
                                       const Algorithm* beside, const NetworkFacts& facts,
                                       const std::stop_token& interrupt = {});

}  // namespace equipoise::catalogue
