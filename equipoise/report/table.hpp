#pragma once
// Text tables: columns of one width, numbers to the right.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise::report {

/// A whole number with thousands separated: 1,234,567.
[[nodiscard]] std::string grouped(std::int64_t number);
[[nodiscard]] std::string grouped(std::uint64_t number);
/// So many of a thing whose plural ends in s: "1 node", "2,000 nodes".
[[nodiscard]] std::string counted(std::int64_t number, std::string_view thing);
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view thing);
/// Seconds as people say them: "0.3 ms", "25 ms", "1.25 s", "4 min 10 s".
[[nodiscard]] std::string duration(double seconds);
/// How many columns a terminal gives a text: code points of UTF-8.
[[nodiscard]] std::size_t width_of(std::string_view text);

enum class Align : std::uint8_t { left, right };

struct Column {
    std::string title;
    Align align = Align::left;
};

/// Lays rows out under their columns, two spaces between; a rule of dashes (or box lines, where
/// `plain` is false) under the titles. Rows have one cell a column.
[[nodiscard]] std::string layout(const std::vector<Column>& columns,
                                 const std::vector<std::vector<std::string>>& rows, bool plain);

/// A field of a CSV file (RFC 4180): quoted where it holds a comma, a quote or a line break.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace equipoise::report
