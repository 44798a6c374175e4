#pragma once
// Characters of UTF-8, and the encoding assumed for files that are not UTF-8.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace equipoise {

/// A code point and how many bytes it takes.
struct Utf8Character {
    std::uint32_t code = 0;
    std::size_t length = 0;
};

/// The character that a text begins with; nothing if the text is empty or begins with bytes that
/// are not UTF-8 (RFC 3629: the shortest form, no surrogates, at most U+10FFFF).
[[nodiscard]] std::optional<Utf8Character> first_character(std::string_view text);

/// Whether a text is UTF-8 from end to end.
[[nodiscard]] bool is_utf8(std::string_view text);

/// Appends a code point, which must be one (no surrogate, at most U+10FFFF).
void append_utf8(std::string& text, std::uint32_t code);

/// The number of bytes that the first characters of a text take: as many whole characters as fit
/// into `bytes_max`. A byte that is not UTF-8 is a character of its own.
[[nodiscard]] std::size_t whole_characters(std::string_view text, std::size_t bytes_max);

/// The code point of a byte in Windows-1252, which is ISO 8859-1, except that most of the bytes 128
/// to 159 are printable characters.
[[nodiscard]] std::uint32_t code_of_windows_1252(char byte);

}  // namespace equipoise
