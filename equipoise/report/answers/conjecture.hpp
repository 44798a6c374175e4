#pragma once
// The table of the conjecture on complete k-ary trees, as text and as JSON.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "equipoise/theory/stable_discrepancy.hpp"

namespace equipoise::report {

/// One complete k-ary tree of height h.
struct ConjectureRow {
    std::uint64_t arity = 0;
    std::uint64_t height = 0;
    std::string nodes;                     ///< decimal
    std::uint64_t at_least = 0;            ///< MSD, tokens: the exact stability of the witness
    std::optional<std::uint64_t> at_most;  ///< MSD, tokens: no gap has a larger stability
    theory::ConjecturedStableDiscrepancy conjectured;
    std::string witness;  ///< decimal; a gap of stability `at_least`

    [[nodiscard]] bool exact() const { return at_most == at_least; }
    /// Whether the conjecture holds, as far as the bounds tell.
    [[nodiscard]] std::optional<bool> holds() const;
};

/// The rows as a table for people.
[[nodiscard]] std::string conjecture_text(std::span<const ConjectureRow> rows);
/// A list of {"k", "h", "nodes", "msd" (or "msd_at_least", "msd_at_most"), "conjectured", "holds",
/// "witness", "upper_certified", "lower_certified"}.
[[nodiscard]] std::string conjecture_json(std::span<const ConjectureRow> rows);

/// A decimal number of any length: its digits in groups or, if there are many, the first ones and
/// the number of digits.
[[nodiscard]] std::string short_decimal(const std::string& number);

}  // namespace equipoise::report
