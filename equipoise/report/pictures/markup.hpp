#pragma once
// Text inside HTML and SVG.

#include <string>
#include <string_view>

namespace equipoise::report {

/// The text with the characters that are special in markup escaped. What is no text there, control
/// characters and bytes that are not UTF-8, is made printable.
[[nodiscard]] std::string escape_markup(std::string_view text);

}  // namespace equipoise::report
