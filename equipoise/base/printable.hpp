#pragma once
// Text from files and users, made safe for a terminal and for whoever reads UTF-8.

#include <string>
#include <string_view>

namespace equipoise {

/// The text in UTF-8, in one line: `\n`, `\t` and `\u001b` stand for control characters, which
/// could move a terminal's cursor, change its colours or worse, and for others that end a line or
/// turn the direction of writing; `\xe3` stands for a byte that is not UTF-8. Characters in `kept`
/// stay. Escaping a second time changes nothing, and JSON stays valid JSON.
[[nodiscard]] std::string printable(std::string_view text, std::string_view kept = "");

/// The text with at most 160 bytes of every word and 800 bytes in all: anything longer keeps its
/// beginning and end, with "..." between them. Characters of UTF-8 stay whole.
[[nodiscard]] std::string shortened(std::string_view text);

/// The text in one line: line breaks and tabs become one blank, together with the blanks around
/// them (none at the ends); the rest as `printable` has it.
[[nodiscard]] std::string one_line(std::string_view text);

/// At most the first 60 bytes of the text, with no character cut in two, and "..." if that is not
/// all of it.
[[nodiscard]] std::string beginning_of(std::string_view text);

}  // namespace equipoise
