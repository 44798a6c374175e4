#pragma once
// Verification reports as people and programs read them.

#include <string>

#include "equipoise/verify/verify.hpp"

namespace equipoise::report {

/// A line for every check, then what could not be checked, then the verdict. ASCII.
[[nodiscard]] std::string verification_text(const verify::Report& report);

/// {"passed", "checks": [{"name", "passed", "detail"}], "unchecked": [...],
/// "unchecked_fields": [...]}; ends with a newline.
[[nodiscard]] std::string verification_json(const verify::Report& report);

}  // namespace equipoise::report
