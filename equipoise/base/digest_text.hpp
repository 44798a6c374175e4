#pragma once
// Digests as files and messages write them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace equipoise {

/// Sixteen hexadecimal digits, letters in lower case.
[[nodiscard]] std::string digest_text(std::uint64_t digest);

/// The digest that sixteen hexadecimal digits stand for; nothing for any other text.
[[nodiscard]] std::optional<std::uint64_t> digest_from_text(std::string_view text);

}  // namespace equipoise
