#pragma once
// What files hold that are not text.

#include <optional>
#include <string_view>

namespace equipoise {

/// What a file holds by its first bytes, in words that end a message and say what to do: "a file
/// compressed by gzip (decompress it first: gzip -d)". Nothing for text, and for what is not known.
[[nodiscard]] std::optional<std::string_view> kind_other_than_text(std::string_view beginning);

}  // namespace equipoise
