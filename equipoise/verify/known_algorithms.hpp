#pragma once
// What is known about every algorithm without its code: what its records may claim.

#include <optional>
#include <span>
#include <string_view>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::verify {

/// Independent of the catalogue: written down from the papers and pages; a test compares the two.
struct KnownAlgorithm {
    std::string_view name;
    std::string_view model;
    std::optional<Tokens> goal_discrepancy =
        {};                          ///< a run that ends above it did not reach its end
    bool goal_one_balanced = false;  ///< nor one that leaves neighbours 2 apart
    bool may_be_negative = false;    ///< it may send what a node does not have
    bool one_token_a_link = false;   ///< in a step
    bool serves_speeds = false;
    bool runs_in_units = false;  ///< of a token, where loads are continuous
    bool makes_tokens = false;   ///< dummies, or trade with the outside
    Step steps_at_once = 1;      ///< a round that the cap on steps has no room for is not begun
};

[[nodiscard]] std::span<const KnownAlgorithm> known_algorithms();
/// Null if there is none of this name.
[[nodiscard]] const KnownAlgorithm* find_known(std::string_view name);

}  // namespace equipoise::verify
