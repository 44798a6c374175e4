#pragma once
// The fields of a line of comma-separated values.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise {

/// The fields of a line, without surrounding blanks and quotes; inside quotes a quote is doubled.
/// Nothing if a quote is not closed or something follows it.
[[nodiscard]] std::optional<std::vector<std::string>> csv_fields(std::string_view line);

/// A text as a field of a line (RFC 4180): in quotes, with quotes inside doubled, if it holds a
/// comma, a quote or a line break, or begins or ends with a blank.
[[nodiscard]] std::string csv_field(std::string_view text);

/// Texts as the fields of a line, with its end.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& texts);

}  // namespace equipoise
