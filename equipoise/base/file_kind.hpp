#pragma once
// Recognises files that do not hold text.

#include <optional>
#include <string_view>

namespace equipoise {

/// What kind of file begins with these bytes, in words that can end a message and say what to do:
/// "a file compressed by gzip (decompress it first: gzip -d)". Nothing for text and for unknown
/// kinds.
[[nodiscard]] std::optional<std::string_view> kind_other_than_text(std::string_view beginning);

}  // namespace equipoise
