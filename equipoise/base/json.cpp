#include "equipoise/base/json.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json_documents.hpp"
#include "equipoise/base/json_outline.hpp"
#include "equipoise/base/read_bytes.hpp"

namespace equipoise {

namespace {

/// Throws what is wrong at a byte (from 1) where no document can continue; the text begins on
/// `first_line`.
[[noreturn]] void refuse(std::string_view text, const std::string& name, std::size_t at,
                         std::size_t first_line = 1) {
    const std::size_t byte = std::min<std::size_t>(at, text.size());
    const std::size_t begin = byte > 0 ? byte - 1 : 0;
    const auto line =
        first_line + static_cast<std::size_t>(std::count(
                         text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    std::string_view found = text.substr(begin);
    found = found.substr(0, found.find('\n'));
    const std::string place = name + ':' + std::to_string(line);
    if (!text.empty() && at > text.size())
        throw InputError(place + ": expected more JSON, found the end of the file");
    if (!text.empty() && found.empty())
        throw InputError(place + ": expected a closing quote, found the end of the line");
    throw InputError::at(name, line, "well-formed JSON", found);
}

/// Passes events of the parser on.
class Teller : public nlohmann::json_sax<nlohmann::json> {
  public:
    Teller(std::string_view text, const std::string& name, JsonEvents& events)
        : text_(text), name_(name), events_(events) {}

    bool null() override { return tell(&JsonEvents::other); }
    bool boolean(bool value) override { return tell(&JsonEvents::truth, value); }
    bool number_integer(number_integer_t number) override {
        return tell(&JsonEvents::whole, number);
    }
    bool number_unsigned(number_unsigned_t number) override {
        if (number > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
            return tell(&JsonEvents::large, number);
        return tell(&JsonEvents::whole, static_cast<std::int64_t>(number));
    }
    bool number_float(number_float_t /*number*/, const string_t& /*digits*/) override {
        return tell(&JsonEvents::other);
    }
    bool string(string_t& value) override { return tell(&JsonEvents::text, value); }
    bool binary(binary_t& /*value*/) override { return tell(&JsonEvents::other); }
    bool start_object(std::size_t /*size*/) override { return tell(&JsonEvents::open_object); }
    bool key(string_t& name) override { return tell(&JsonEvents::key, name); }
    bool end_object() override { return tell(&JsonEvents::close_object); }
    bool start_array(std::size_t /*size*/) override { return tell(&JsonEvents::open_list); }
    bool end_array() override { return tell(&JsonEvents::close_list); }
    bool parse_error(std::size_t byte, const std::string& /*token*/,
                     const nlohmann::json::exception& error) override {
        if (dynamic_cast<const nlohmann::json::out_of_range*>(&error) != nullptr)
            throw InputError(name_ + ": expected numbers within 64 bits, found a larger one");
        refuse(text_, name_, byte);
    }

  private:
    template <class... Values>
    bool tell(void (JsonEvents::*event)(Values...), const std::remove_cvref_t<Values>&... values) {
        (events_.*event)(values...);
        return true;
    }

    std::string_view text_;
    const std::string& name_;
    JsonEvents& events_;
};

std::string read_text(const std::string& path, JsonOutline::Around around) {
    JsonOutline outline(path, around);
    return read_bytes(
        path, [&](std::string_view all, std::size_t from) { outline.follow(all.substr(from)); });
}

nlohmann::json parsed(std::string_view text, const std::string& name, std::size_t first_line) {
    using nlohmann::json;
    try {
        return json::parse(text);
    } catch (const json::parse_error& error) {
        refuse(text, name, error.byte, first_line);
    } catch (const json::out_of_range&) {
        throw InputError(name + ": expected numbers within 64 bits, found a larger one");
    }
}

}  // namespace

std::string read_json_text(const std::string& path) {
    return read_text(path, JsonOutline::Around::nothing);
}

std::string read_text_with_json(const std::string& path) {
    return read_text(path, JsonOutline::Around::lines);
}

nlohmann::json parse_json(std::string_view text, const std::string& name) {
    JsonOutline(name).follow(text);
    return parsed(text, name, 1);
}

nlohmann::json parse_json(const JsonDocument& document, const std::string& name) {
    return parsed(document.text, name, document.line);
}

std::vector<JsonDocument> json_documents(std::string_view text, const std::string& name) {
    JsonOutline outline(name, JsonOutline::Around::lines);
    outline.follow(text);
    std::vector<JsonDocument> documents;
    std::size_t past = 0;
    for (const auto& [begin, end, line] : outline.documents()) {
        const std::size_t stop = end == 0 ? text.size() : end;
        documents.push_back(
            {text.substr(begin, stop - begin), line, text.substr(past, begin - past)});
        past = stop;
    }
    if (!documents.empty()) return documents;
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(begin), '\n');
    const std::string_view found = text.substr(begin);
    throw InputError::at(name, static_cast<std::size_t>(line), "a line that begins with {",
                         found.substr(0, found.find('\n')));
}

void follow_json(std::string_view text, const std::string& name, JsonEvents& events) {
    JsonOutline(name).follow(text);
    Teller teller(text, name, events);
    nlohmann::json::sax_parse(text, &teller);
}

std::string json_text(const nlohmann::json& value, int indent) {
    return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_text(const nlohmann::ordered_json& value, int indent) {
    return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void append_list(std::string& object, const std::string& key, std::size_t count,
                 const std::function<std::string(std::size_t)>& element) {
    object.resize(object.rfind('\n'));
    object.append(",\n  \"").append(key).append("\": [");
    for (std::size_t i = 0; i < count; ++i)
        object.append(i == 0 ? "\n    " : ",\n    ").append(element(i));
    object += count == 0 ? "]\n}" : "\n  ]\n}";
}

nlohmann::ordered_json object_of_schema(const char* name, int version) {
    nlohmann::ordered_json object;
    object["schema"] = {{"name", name}, {"version", version}};
    return object;
}

bool names_schema(std::string_view text, std::string_view name) {
    constexpr std::size_t head_bytes = 200;
    return text.substr(0, head_bytes).find('"' + std::string(name) + '"') != std::string_view::npos;
}

}  // namespace equipoise
