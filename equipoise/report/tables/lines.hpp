#pragma once
// Running text in lines of a terminal.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise::report {

/// The text in lines of at most `width` columns (0: no limit), broken at spaces. No word is cut:
/// one that is longer has a line of its own. What stands between backquotes is one word, and so is
/// what -, =, <= or >= joins: "D - 1". A remark that two spaces set off begins a line if it would
/// not fit into the one at hand.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text, std::size_t width);

/// The same as one text that begins in column `first`, by default `indent`, and goes on in column
/// `indent`.
[[nodiscard]] std::string hanging(std::string_view text, std::size_t indent, std::size_t width,
                                  std::optional<std::size_t> first = {});

/// "  name             value": values stand one below the other, and go on there.
[[nodiscard]] std::string named_line(std::string_view name, std::string_view value,
                                     std::size_t width = 0);

/// Every line of a text in lines of at most `width` columns, the further ones behind `indent` more
/// spaces than it begins with.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

}  // namespace equipoise::report
