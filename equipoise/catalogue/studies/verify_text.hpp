#pragma once
// Verifying what the program wrote, whichever study wrote it.

#include <string>

#include "equipoise/verify/verify.hpp"

namespace equipoise::catalogue {

/// Checks the text of a record (verify::verify), the list of a conjecture (verify_conjecture) or
/// the windows of a plan (verify_windows). Throws InputError, naming `origin`, if it is none of
/// them.
[[nodiscard]] verify::Report verify_text(const std::string& text, const std::string& origin);

}  // namespace equipoise::catalogue
