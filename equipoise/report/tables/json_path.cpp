#include "equipoise/report/tables/json_path.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>

#include <nlohmann/json.hpp>

#include "equipoise/base/csv_fields.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/line_source.hpp"

namespace equipoise::report {

namespace {

using Json = nlohmann::ordered_json;

/// The value as people write it: texts without quotes.
std::string plain_text(const Json& value) {
    return value.is_string() ? value.get<std::string>() : json_text(value);
}

std::string name_of(std::string_view path) {
    std::string name;
    for (const char c : path) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            name += c;
        } else if (!name.empty() && name.back() != '_') {
            name += '_';
        }
    }
    while (!name.empty() && name.back() == '_')
        name.pop_back();
    return name;
}

bool holds(const Json& element, const std::string& key, const std::string& value) {
    const auto found = element.is_object() ? element.find(key) : element.end();
    return element.is_object() && found != element.end() && plain_text(*found) == value;
}

/// The end of a path so far: one value, or those elements of a list that meet its conditions.
struct Place {
    const Json* value = nullptr;
    bool is_choice = false;
    std::vector<const Json*> chosen = {};

    [[nodiscard]] const Json* one() const {
        if (!is_choice) return value;
        return chosen.empty() ? nullptr : chosen.front();
    }
    [[nodiscard]] const Json* element(std::size_t number) const {
        if (is_choice) return number < chosen.size() ? chosen[number] : nullptr;
        return value->is_array() && number < value->size() ? &value->at(number) : nullptr;
    }
    void choose(const std::string& key, const std::string& wanted) {
        if (!is_choice && value->is_array())
            for (const Json& each : *value)
                chosen.push_back(&each);
        is_choice = true;
        std::erase_if(chosen, [&](const Json* each) { return !holds(*each, key, wanted); });
    }
};

/// The value at a path as a field of a CSV line.
std::string field_at(const JsonPath& path, const Json& object) {
    Place place = {&object};
    for (const auto& part : path.parts()) {
        if (const auto* condition = std::get_if<JsonPath::Condition>(&part)) {
            place.choose(condition->key, condition->value);
            continue;
        }
        const Json* from = place.one();
        const Json* next = nullptr;
        if (const auto* key = std::get_if<JsonPath::Key>(&part)) {
            if (from != nullptr && from->is_object() && from->contains(key->name))
                next = &from->at(key->name);
        } else {
            next = place.element(std::get<JsonPath::Element>(part).number);
        }
        if (next == nullptr) return "";
        place = {next};
    }
    const Json* found = place.one();
    return found == nullptr || found->is_null() ? "" : csv_field(plain_text(*found));
}

}  // namespace

JsonPath::JsonPath(std::string_view text) : name_(name_of(text)) {
    const auto wrong = [&] {
        return InputError(
            "expected a path such as steps, guarantee.steps or bounds[theorem=Theorem 2].value, "
            "found \"" +
            std::string(text) + '"');
    };
    std::size_t at = 0;
    bool key_next = true;
    while (at < text.size() || key_next) {
        if (key_next) {
            const std::size_t end = std::min(text.find_first_of(".[]", at), text.size());
            if (end == at) throw wrong();
            parts_.emplace_back(Key{std::string(text.substr(at, end - at))});
            at = end;
            key_next = false;
        } else if (text[at] == '.') {
            ++at;
            key_next = true;
        } else {
            const std::size_t end = text.find(']', at);
            if (text[at] != '[' || end == std::string_view::npos) throw wrong();
            const std::string_view inside = text.substr(at + 1, end - at - 1);
            const std::size_t equals = inside.find('=');
            if (const auto number = whole_number(inside, UINT32_MAX)) {
                parts_.emplace_back(Element{static_cast<std::size_t>(*number)});
            } else if (equals != std::string_view::npos && equals > 0) {
                parts_.emplace_back(Condition{std::string(inside.substr(0, equals)),
                                              std::string(inside.substr(equals + 1))});
            } else {
                throw wrong();
            }
            at = end + 1;
        }
    }
    if (name_.empty()) throw wrong();
}

std::string csv_fields_at(const std::vector<JsonPath>& paths, std::string_view object) {
    const Json json = Json::parse(object);
    std::string text;
    for (const JsonPath& path : paths) {
        if (&path != paths.data()) text += ',';
        text += field_at(path, json);
    }
    return text;
}

}  // namespace equipoise::report
