#pragma once
// The independent re-check of claims of pages of results: files of schema equipoise-certificate.

#include <string>
#include <string_view>

#include "equipoise/verify/verify.hpp"

namespace equipoise::verify {

/// Whether a text says that it is such a file.
[[nodiscard]] bool is_certificate_text(std::string_view text);

/// Checks every claim of the file from its own numbers, by definition and in whole numbers; shares
/// nothing with the searches and proofs that the claims come from. Kinds of claims are named in
/// schemas/equipoise-certificate.json.
///
/// Throws InputError, naming `origin`, if the text is no such file. Claims that would take more
/// than about a minute are reported as not checked.
[[nodiscard]] Report verify_certificate(const std::string& text, const std::string& origin);

}  // namespace equipoise::verify
