#pragma once
// Pages are templates of `browser/` that are filled with styles, scripts and data.

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace equipoise::report {

/// Fills in `{{name}}`. One pass: texts that were filled in are not searched again. A name without
/// a value is a programmer's error.
[[nodiscard]] std::string fill_in(
    std::string_view page, const std::vector<std::pair<std::string_view, std::string>>& values);

/// The page's own files, one after the other.
[[nodiscard]] std::string page_files(std::initializer_list<std::string_view> names);

/// JSON in which `<`, `>` and `&` are escaped, so that it can be put in a script element.
[[nodiscard]] std::string escape_for_script(const std::string& json);

}  // namespace equipoise::report
