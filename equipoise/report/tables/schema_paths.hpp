#pragma once
// Paths to values in the output of a verb, checked against its schema before anything is printed.

#include <string>
#include <string_view>

#include "equipoise/report/tables/json_path.hpp"

namespace equipoise::report {

/// Throws InputError unless the object that `verb` prints with --json may have a value at this
/// path: "unknown column "stepz" of run: did you mean "steps"?". `text` is the path as given. In
/// objects that may have any keys (`constants`) all are allowed.
void expect_in_schema(const JsonPath& path, std::string_view text, const std::string& verb);

/// Whether a path into the object of a verb that can be swept may have this name
/// (`JsonPath::name`): "guarantee_steps", "schedule_0", "constants_tree".
[[nodiscard]] bool is_name_of_path(std::string_view name);

}  // namespace equipoise::report
