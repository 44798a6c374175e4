#pragma once
// JSON from files and texts, judged before memory is taken: the one way in for records, scenarios
// and lists that other verbs wrote.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace equipoise {

/// How deep objects and lists may be nested; records go four levels deep.
inline constexpr int json_levels_max = 32;

/// The text of a JSON file, read once and in order (a pipe will do). Stops at the first byte that
/// no object or list can hold, at a level too many, after the end of the document and at 2^32
/// bytes; `parse_json` finds all other errors. Throws InputError naming file and line.
[[nodiscard]] std::string read_json_text(const std::string& path);

/// The value of a JSON text: an object or a list of at most `json_levels_max` levels. `name` stands
/// for the text in messages. Throws InputError naming the line, what was expected and found.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, const std::string& name);

/// What a JSON text is made of, in the order of the text: for documents whose lists are too long to
/// be held as values. Functions may throw to end the reading.
class JsonEvents {
  public:
    virtual ~JsonEvents() = default;
    virtual void open_object() = 0;
    virtual void key(const std::string& name) = 0;
    virtual void close_object() = 0;
    virtual void open_list() = 0;
    virtual void close_list() = 0;
    virtual void whole(std::int64_t number) = 0;
    virtual void truth(bool value) = 0;
    virtual void text(const std::string& value) = 0;
    /// A whole number of 64 bits that does not fit into 63.
    virtual void large(std::uint64_t number) = 0;
    /// A null or a number with a fraction or an exponent.
    virtual void other() = 0;
};

/// Tells `events` of all that an object or a list of at most `json_levels_max` levels holds; memory
/// does not grow with the text. Throws as `parse_json` does, and what `events` throws.
void follow_json(std::string_view text, const std::string& name, JsonEvents& events);

/// The text of a value, its levels indented by this many blanks, or all in one line. Bytes
/// that are not UTF-8 become a replacement character.
[[nodiscard]] std::string json_text(const nlohmann::json& value, int indent = -1);
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& value, int indent = -1);

/// Adds a last member to the text of an object whose levels are indented by 2: a list with one line
/// for each of `count` elements, whose texts `element` makes.
void append_list(std::string& object, const std::string& key, std::size_t count,
                 const std::function<std::string(std::size_t)>& element);

/// An object of a published schema (schemas/NAME.json), which its first key names. A schema gets a
/// new version only when a key changes its meaning or goes away; new keys may come at any time.
[[nodiscard]] nlohmann::ordered_json object_of_schema(const char* name, int version = 1);
/// Whether the head of a text names a schema: to choose who reads the text.
[[nodiscard]] bool names_schema(std::string_view text, std::string_view name);

}  // namespace equipoise
