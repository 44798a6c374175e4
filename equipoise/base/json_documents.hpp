#pragma once
// JSON objects among other lines of a text, such as the saved output of a tool.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace equipoise {

/// A JSON object between the lines of a text. The text outlives it.
struct JsonDocument {
    std::string_view text;
    std::size_t line = 1;     ///< on which it begins
    std::string_view before;  ///< what stands between it and the object before it
};

/// The text of a file that holds JSON objects, read once and in order (a pipe will do). Stops where
/// `json_documents` would find no object more, and at 2^32 bytes. Throws InputError naming file and
/// line.
[[nodiscard]] std::string read_text_with_json(const std::string& path);

/// The JSON objects of a text, one or more. Each begins a line, ends one and has at most
/// `json_levels_max` levels; other lines are skipped, up to 2^20 bytes of them before an object.
/// `name` stands for the text in messages. Throws InputError naming the line.
[[nodiscard]] std::vector<JsonDocument> json_documents(std::string_view text,
                                                       const std::string& name);

/// The value of an object. Throws InputError naming the line of the whole text.
[[nodiscard]] nlohmann::json parse_json(const JsonDocument& document, const std::string& name);

}  // namespace equipoise
