#include "equipoise/report/tables/schema_paths.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/report/tables/schema_files.hpp"

namespace equipoise::report {

namespace {

using Schema = nlohmann::json;

const Schema* schema_at(const Schema& schema, const std::string& key) {
    const auto found = schema.find(key);
    return found == schema.end() ? nullptr : &*found;
}

/// The schema of an object's value, by its key; null if there is no such key.
const Schema* schema_of_value(const Schema& schema, const std::string& key) {
    if (const Schema* const properties = schema_at(schema, "properties"))
        if (const Schema* const value = schema_at(*properties, key)) return value;
    const Schema* const others = schema_at(schema, "additionalProperties");
    return others != nullptr && others->is_object() ? others : nullptr;
}

/// The schema of a list's element; null if it is not a list, or has no such element.
const Schema* schema_of_element(const Schema& schema, std::size_t number) {
    if (const Schema* const first = schema_at(schema, "prefixItems"); first != nullptr)
        if (number < first->size()) return &first->at(number);
    const Schema* const items = schema_at(schema, "items");
    return items != nullptr && items->is_object() ? items : nullptr;
}

/// All paths of keys that a schema names, with `before` in front.
void add_paths(const Schema& schema, const std::string& before, std::vector<std::string>& paths) {
    const Schema* const properties = schema_at(schema, "properties");
    if (properties == nullptr) return;
    for (const auto& [key, value] : properties->items()) {
        paths.push_back(before + key);
        add_paths(value, paths.back() + '.', paths);
    }
}

/// The path extended by one part, ready for a key.
std::string longer(std::string path, const JsonPath::Part& part) {
    if (const auto* const key = std::get_if<JsonPath::Key>(&part)) return path + key->name + '.';
    path.pop_back();
    if (const auto* const element = std::get_if<JsonPath::Element>(&part))
        return path + '[' + std::to_string(element->number) + "].";
    const auto& condition = std::get<JsonPath::Condition>(part);
    return path + '[' + condition.key + '=' + condition.value + "].";
}

std::string questioned(const std::vector<std::string>& paths) {
    std::vector<std::string> quoted;
    for (const std::string& path : paths)
        quoted.push_back('"' + path + '"');
    return ": did you mean " + equipoise::listed(quoted, " or ") + '?';
}

/// What the user may have meant by `key` after the path `before`, which leads to `place`: a similar
/// key, or a path elsewhere that ends with it, otherwise any of the existing keys.
std::string meant(const std::string& before, const std::string& key, const Schema& place,
                  const Schema& schema) {
    std::vector<std::string> keys;
    if (const Schema* const properties = schema_at(place, "properties"))
        for (const auto& [name, value] : properties->items())
            keys.push_back(name);
    std::vector<std::string> paths;
    for (const std::string& near : near_words(key, keys))
        paths.push_back(before + near);
    if (!paths.empty()) return questioned(paths);
    std::vector<std::string> all;
    add_paths(schema, "", all);
    for (const std::string& path : all)
        if (!key.empty() && path.ends_with('.' + key)) paths.push_back(path);
    if (!paths.empty()) return questioned(paths);
    return keys.empty() ? "" : ": expected " + equipoise::listed(keys, " or ");
}

/// Whether a path from here may have a name that ends with `rest`.
bool leads_to(const Schema& schema, std::string_view rest) {
    if (rest.empty()) return true;
    // Elements, conditions and keys of one's own may have any names.
    if (schema_of_element(schema, 0) != nullptr) return true;
    const Schema* const others = schema_at(schema, "additionalProperties");
    if (others != nullptr && others->is_object()) return true;
    const Schema* const properties = schema_at(schema, "properties");
    if (properties == nullptr) return false;
    for (const auto& [key, value] : properties->items()) {
        if (!rest.starts_with(key)) continue;
        if (rest.size() == key.size()) return true;
        if (rest[key.size()] == '_' && leads_to(value, rest.substr(key.size() + 1))) return true;
    }
    return false;
}

}  // namespace

void expect_in_schema(const JsonPath& path, std::string_view text, const std::string& verb) {
    const Schema schema = Schema::parse(schema_file("equipoise-" + verb + ".json"));
    const Schema* at = &schema;
    std::string before;   // the path so far, ready for a key
    bool chosen = false;  // conditions stand between a list and the first element that meets them
    for (const JsonPath::Part& part : path.parts()) {
        const Schema* const element = schema_of_element(*at, 0);
        const Schema& place = element == nullptr ? *at : *element;
        const Schema* next = nullptr;
        std::string key;
        bool skips = false;  // a key right after a list
        if (const auto* const named = std::get_if<JsonPath::Key>(&part)) {
            key = named->name;
            skips = element != nullptr && !chosen;
            if (!skips) next = schema_of_value(place, key);
            chosen = false;
        } else if (const auto* const numbered = std::get_if<JsonPath::Element>(&part)) {
            next = schema_of_element(*at, numbered->number);
            chosen = false;
        } else if (element != nullptr &&
                   schema_of_value(place, std::get<JsonPath::Condition>(part).key) != nullptr) {
            next = at;
            chosen = true;
        }
        if (next == nullptr)
            throw InputError("unknown column \"" + std::string(text) + "\" of " + verb +
                             (skips ? ": expected [NUMBER] or [KEY=VALUE] between a list and a key"
                                    : meant(before, key, place, schema)));
        before = longer(before, part);
        at = next;
    }
}

bool is_name_of_path(std::string_view name) {
    static const std::vector<Schema> schemas = [] {
        std::vector<Schema> made;
        for (const char* const verb : {"run", "plan", "analyze", "worst", "reassign"})
            made.push_back(Schema::parse(schema_file(std::string("equipoise-") + verb + ".json")));
        return made;
    }();
    return !name.empty() && std::any_of(schemas.begin(), schemas.end(), [&](const Schema& schema) {
        return leads_to(schema, name);
    });
}

}  // namespace equipoise::report
