#pragma once
// Algorithms that the caller gives: rules made at run time, played and recorded like the entries of
// the catalogue.

#include <string>
#include <vector>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/model/local/bulk_rule.hpp"
#include "equipoise/model/local/given_program.hpp"

namespace equipoise::catalogue {

/// The links over which a given edge rule is played, in the order of `given_links_words`.
enum class GivenLinks : std::uint8_t {
    colours,             ///< the classes of an edge colouring in turn
    all,                 ///< all links in every step
    random_matchings,    ///< a random matching every step
    steepest_matchings,  ///< a greedy matching of the steepest links every step
    matchings,           ///< the matchings given with a run, otherwise the natural ones, in turn
};
[[nodiscard]] const std::vector<std::string>& given_links_words();
/// Throws InputError that says what was expected.
[[nodiscard]] GivenLinks given_links_from_word(const std::string& word);

/// An edge rule as an algorithm, under the rule's name. It has no guarantee and no parameters; its
/// default stop is a round in which no token moves, and `given_steps_max` steps at the latest.
/// Records of its runs say that the rule was given. Throws InputError for an invalid name, and for
/// the name of an algorithm of the catalogue.
[[nodiscard]] Algorithm given_algorithm(const model::BulkEdgeRule& rule, GivenLinks links);
/// The same for a deal rule.
[[nodiscard]] Algorithm given_algorithm(const model::BulkDealRule& rule);

/// The same for a node program, on all links of the network. It ends when its nodes have ended, or
/// when nothing is on the way and no timer runs. Also throws InputError for invalid names of kinds.
[[nodiscard]] Algorithm given_algorithm(const model::GivenProgram& program);

/// A given rule or program under another name, for which the same holds.
[[nodiscard]] Algorithm given_algorithm(Algorithm given, const std::string& name);

/// The cap on steps in runs of given rules, unless the caller says how a run ends.
inline constexpr Step given_steps_max = 100'000;

}  // namespace equipoise::catalogue
