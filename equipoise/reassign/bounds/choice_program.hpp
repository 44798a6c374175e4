#pragma once
// Linear programs of a simple form, and bounds on them that rounding cannot spoil.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::reassign {

/// Least cost of choices, of each of which one option is taken, or several by parts that add up to
/// one, and of further amounts between 0 and a limit; so that the sum of each row is at most its
/// limit.
struct ChoiceProgram {
    struct Entry {
        std::uint32_t row = 0;
        Tokens coefficient = 0;
    };
    struct Column {
        Int128 cost = 0;
        Int128 most = 1;
        std::size_t begin = 0;  ///< its entries, up to those of the next column
    };
    std::vector<Int128> limits;        ///< by row
    std::vector<std::size_t> choices;  ///< where the options of each begin
    std::vector<Column> columns;       ///< options, in the order of choices; then further amounts
    std::size_t options = 0;           ///< how many of the columns are options
    std::vector<Entry> entries;

    std::uint32_t add_row(Int128 limit) {
        limits.push_back(limit);
        return static_cast<std::uint32_t>(limits.size() - 1);
    }
    void begin_choice() { choices.push_back(columns.size()); }
    void add_option(Int128 cost) {
        columns.push_back({cost, 1, entries.size()});
        options = columns.size();
    }
    /// After all options.
    void add_amount(Int128 cost, Int128 most) { columns.push_back({cost, most, entries.size()}); }
    /// In the column that was added last.
    void add_entry(std::uint32_t row, Tokens coefficient) {
        if (coefficient != 0) entries.push_back({row, coefficient});
    }
    [[nodiscard]] std::span<const Entry> entries_of(std::size_t column) const {
        const std::size_t end =
            column + 1 < columns.size() ? columns[column + 1].begin : entries.size();
        return std::span(entries).subspan(columns[column].begin, end - columns[column].begin);
    }
};

/// What no solution costs less than, not even one by parts, rounded up to a whole number: the cost
/// where a unit of each row may be bought at its price. Any prices of 0 or more give a bound, those
/// of a dual solution the best one. They are taken as they are, and all is added up exactly.
[[nodiscard]] Int128 cost_at_prices(const ChoiceProgram& program, std::span<const double> prices);

/// Prices by row that give a good bound: a dual solution, as far as a solver of linear programs
/// gets in these seconds. Empty where no solver was built in (`has_linear_programs`).
[[nodiscard]] std::vector<double> good_prices(const ChoiceProgram& program, double seconds);

}  // namespace equipoise::reassign
