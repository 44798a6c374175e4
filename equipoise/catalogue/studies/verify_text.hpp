#pragma once
// Verifying what the program wrote, whichever study wrote it.

#include <string>

#include "equipoise/verify/verify.hpp"

namespace equipoise::catalogue {

/// Checks the text of a record (verify::verify) or the list of a conjecture (verify_conjecture).
/// Throws InputError, naming `origin`, if it is neither.
[[nodiscard]] verify::Report verify_text(const std::string& text, const std::string& origin);

}  // namespace equipoise::catalogue
