#pragma once
// Verification reports as people and programs read them.

#include <string>

#include "equipoise/verify/verify.hpp"

namespace equipoise::verify {

/// A line for every check, then what could not be checked, then the verdict. ASCII.
[[nodiscard]] std::string to_text(const Report& report);

/// {"passed", "checks": [{"name", "passed", "detail"}], "unchecked": [...],
/// "unchecked_fields": [...]}; ends with a newline.
[[nodiscard]] std::string to_json(const Report& report);

}  // namespace equipoise::verify
