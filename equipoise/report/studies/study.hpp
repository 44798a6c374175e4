#pragma once
// A study: the rows of a sweep, or of any CSV file with a header, by the names of their columns.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise::report {

/// The number that a text of a table is: decimals, "true" and "false" as 1 and 0; nothing for other
/// texts.
[[nodiscard]] std::optional<double> study_number(const std::string& text);

/// A table of texts. Row r has the text cells[r][c] in column c; an empty text is no value.
struct Study {
    std::string origin;  ///< the file, for messages
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;

    /// Throws InputError that suggests a name if there is no such column.
    [[nodiscard]] std::size_t column(std::string_view name) const;
    [[nodiscard]] bool has(std::string_view name) const;
    /// The number in a cell, nothing for an empty text. Throws InputError naming file, row and
    /// column for another text.
    [[nodiscard]] std::optional<double> number(std::size_t row, std::size_t column) const;
    /// Whether every text of the column is empty or a number, and some is not empty.
    [[nodiscard]] bool is_numeric(std::size_t column) const;
};

/// Reads the CSV file of a sweep, or any other with a header. Throws InputError.
[[nodiscard]] Study read_study(const std::string& path);
[[nodiscard]] Study parse_study(std::string_view text, const std::string& origin);

/// Why a row is not averaged with others.
enum class RowState : unsigned char {
    whole,
    /// The run was stopped before its end, by the limit of steps, say: its `cut_short_because` says
    /// so, or its `stopped_because` and `reached`.
    cut_short,
    left_out,  ///< it was not played; `left_out_because` says why
};
[[nodiscard]] RowState state_of(const Study& study, std::size_t row);

}  // namespace equipoise::report
