#pragma once
// What a run costs, by the word for it, exactly.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/targets.hpp"

namespace equipoise::catalogue {

/// A cost of runs that `worst` searches for.
struct CostOfRuns {
    std::string_view word;  ///< as people ask for it
    /// The cost, 0 or more. Nothing if the run has none: it kept no moves, or cannot be compared
    /// with the optimum.
    std::optional<load::Fraction> (*of)(const Outcome& outcome);
    bool needs_deviation = false;
    bool needs_moves = false;          ///< a full record
    bool needs_optimum = false;        ///< in the record
    bool needs_optimum_steps = false;  ///< which only runs that move single tokens have
};

/// All of them: "steps", "level-since" (the step since which the discrepancy is the final one),
/// "rounds", "exchanges", "messages", "discrepancy" (that one), "deviation", "largest-load" (of any
/// node at any time), "steps/optimum", "level-since/optimum", "exchanges/optimum".
/// Fractions of a token that were exchanged are rounded up.
[[nodiscard]] const std::vector<CostOfRuns>& costs_of_runs();

/// Their words.
[[nodiscard]] const std::vector<std::string>& cost_words();

/// Throws InputError that suggests a word.
[[nodiscard]] const CostOfRuns& find_cost(std::string_view word);

/// Whether a > b, for fractions that are not negative; a denominator of 0 makes infinity. Exact.
[[nodiscard]] bool larger(load::Fraction a, load::Fraction b);

}  // namespace equipoise::catalogue
