#pragma once
// Tables whose first line names their columns.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/line_source.hpp"
#include "equipoise/base/separated_values.hpp"

namespace equipoise {

/// The lines of a table, one after the other. The header, one of those expected, shows what
/// separates fields: commas, semicolons, tabs or blanks. Any field may be in quotes; lines without
/// fields are skipped.
class TableReader {
  public:
    enum class Lines : std::uint8_t {
        as_long_as_header,
        of_any_length,
        /// The first field may hold separators without quotes: surplus fields are joined to it.
        with_long_first_field,
    };

    /// `headers` have commas between their columns. Throws InputError unless the first line is one
    /// of them.
    TableReader(LineSource& source, std::vector<std::string> headers,
                Lines lines = Lines::as_long_as_header);
    /// Takes any header; columns are then found by name. What separates them is the comma,
    /// semicolon or tab that splits the header into most fields, or blanks where none does. Throws
    /// InputError if there is no header, or if it names a column twice.
    explicit TableReader(LineSource& source);

    /// The columns, separated by commas.
    [[nodiscard]] const std::string& header() const { return header_; }
    /// The names of the columns; some may be empty.
    [[nodiscard]] const std::vector<std::string>& columns() const { return names_; }
    /// The column with this name, whatever the case of its letters.
    [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;

    /// The fields of the next line; false at the end. Throws InputError for a quote that is not
    /// closed, for text behind a closed quote, and if the number of fields is not that of the
    /// header.
    bool next(std::vector<std::string>& fields);

  private:
    [[nodiscard]] bool next_line(std::string_view& line);
    [[nodiscard]] bool matches_header(std::string_view line, Separator separator);
    void take_header(Separator separator);
    void join_first_fields(std::string_view line);

    LineSource& source_;
    Lines lines_;
    std::vector<std::string> headers_;
    std::string header_;
    std::vector<std::string> names_;
    Separator separator_ = Separator::comma;
    std::vector<Field> fields_;
};

}  // namespace equipoise
