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
    /// that are kept unless they cost less. Nothing: all loads that leave some node empty.
    std::optional<std::uint64_t> tries;
    std::uint64_t seed = 0;         ///< of the search and of the runs
    std::optional<Step> steps_max;  ///< of every run
};

/// "steps", "rounds", "exchanges", "messages".
[[nodiscard]] const std::vector<std::string>& worst_quantities();

/// Throws InputError for errors that no network could make right.
void check(const WorstRequest& request);

/// Searches. After an interrupt, returns what it has found until then (`all` is false). Throws
/// InputError for unknown names and for more than 2^30 loads; otherwise as `run` does.
[[nodiscard]] report::Worst find_worst(const WorstRequest& request, const NetworkFacts& facts,
                                       const std::stop_token& interrupt = {});

/// The same for algorithms that need no name; `beside` may be null. The names in `request` are not
/// used.
[[nodiscard]] report::Worst find_worst(const WorstRequest& request, const Algorithm& algorithm,
                                       const Algorithm* beside, const NetworkFacts& facts,
                                       const std::stop_token& interrupt = {});

}  // namespace equipoise::catalogue
