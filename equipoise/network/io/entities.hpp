#pragma once
// Entities: characters that markup spells by name or number, `&ouml;`, `&#246;`.

#include <string>
#include <string_view>

namespace equipoise::network {

/// A text in UTF-8 with the entities of XML and HTML 4, which has those of ISO 8859-1, replaced:
/// by name (`&amp;`, `&ouml;`), decimal (`&#246;`) or hexadecimal (`&#xf6;`). Anything else stays
/// as it is. Numbers of control characters (128 to 159) mean those of Windows-1252, as in HTML.
[[nodiscard]] std::string without_entities(std::string_view text);

/// A text in plain ASCII for markup: numbers stand for all other characters, for control characters
/// and for & < > ".
[[nodiscard]] std::string with_entities(std::string_view text);

}  // namespace equipoise::network
