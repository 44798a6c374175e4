#pragma once
// Text tables: columns of fixed width, numbers aligned to the right.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/figures.hpp"

namespace equipoise::report {

using equipoise::counted;
using equipoise::grouped;

/// Seconds as people write them: "0.3 ms", "25 ms", "1.25 s", "4 min 10 s".
[[nodiscard]] std::string duration(double seconds);
/// The number of terminal columns that a text takes: code points of UTF-8.
[[nodiscard]] std::size_t width_of(std::string_view text);

enum class Align : std::uint8_t { left, right };

struct Column {
    std::string title;  ///< of one line or, with a line break, of two
    Align align = Align::left;
    bool wraps = false;  ///< cells are running text, which may go on in further lines
};

/// Lays rows out in columns, with two spaces between them; a rule of dashes (or box lines, if
/// `plain` is false) under the titles. Rows have one cell per column. Titles of one line are on the
/// lower line. Of a table that is wider than `width` (0: no limit) the columns that wrap become
/// narrower, the widest first, but none narrower than its longest word. A row with nothing but a
/// first cell goes across the table if that column wraps.
[[nodiscard]] std::string layout(const std::vector<Column>& columns,
                                 const std::vector<std::vector<std::string>>& rows, bool plain,
                                 std::size_t width = 0);

}  // namespace equipoise::report
