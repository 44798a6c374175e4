#pragma once
// Text from files and users, made safe for a terminal.

#include <string>
#include <string_view>

namespace equipoise {

/// The text with '?' in place of every control character (0 to 31, 127, and U+0080 to U+009F in
/// UTF-8), which could move a terminal's cursor, change its colours or worse. Those in `kept` stay.
[[nodiscard]] std::string printable(std::string_view text, std::string_view kept = "");

/// The text with at most 160 bytes of every word and 800 bytes in all: anything longer keeps its
/// beginning and end, with "..." between them. Characters of UTF-8 stay whole.
[[nodiscard]] std::string shortened(std::string_view text);

/// At most the first 60 bytes of the text, and "..." if that is not all of it.
[[nodiscard]] std::string beginning_of(std::string_view text);

}  // namespace equipoise
