#pragma once
// Verifying files that the program wrote, whichever study wrote them.

#include <string>

#include "equipoise/verify/verify.hpp"

namespace equipoise::catalogue {

/// Checks the text of a record (verify::verify), the list of a conjecture (verify_conjecture), the
/// windows of a plan (verify_windows), kept states (verify::verify_kept) or certificates
/// (verify::verify_certificate). Throws InputError, naming `origin`, if the text is none of these.
[[nodiscard]] verify::Report verify_text(const std::string& text, const std::string& origin);

}  // namespace equipoise::catalogue
