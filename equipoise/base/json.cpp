#include "equipoise/base/json.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <memory>
#include <system_error>
#include <type_traits>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"

namespace equipoise {

namespace {

constexpr std::size_t text_bytes_max = std::size_t{1} << 32U;
constexpr std::size_t block_bytes = std::size_t{1} << 16U;

/// Follows brackets and texts through a document, byte by byte, in constant memory.
class Outline {
  public:
    explicit Outline(const std::string& name) : name_(name) {}

    /// Throws InputError at a byte that no document can continue with.
    void follow(std::string_view block) {
        // Windows begins files with a byte order mark, which the parser skips too.
        if (first_ && block.starts_with("\xEF\xBB\xBF")) block.remove_prefix(3);
        first_ = false;
        for (std::size_t at = 0; at < block.size(); ++at) {
            const char c = block[at];
            if (c == '\n') ++line_;
            if (in_text_) {
                in_text_ = escaped_ || c != '"';
                escaped_ = !escaped_ && c == '\\';
            } else if (!is_blank(c)) {
                take(c, block.substr(at));
            }
        }
    }

  private:
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

    void take(char c, std::string_view rest) {
        const bool opens = c == '{' || c == '[';
        if (levels_ == 0 && begun_) fail("nothing after the end of the document", rest);
        if (levels_ == 0 && !opens) fail("well-formed JSON", rest);
        if (static_cast<unsigned char>(c) < ' ') fail("well-formed JSON", rest);
        begun_ = true;
        if (opens && ++levels_ > json_levels_max)
            fail("at most " + std::to_string(json_levels_max) +
                     " levels of nested objects and lists",
                 rest);
        if (c == '}' || c == ']') --levels_;
        in_text_ = c == '"';
    }
    [[noreturn]] void fail(const std::string& expected, std::string_view rest) const {
        throw InputError::at(name_, line_, expected, rest.substr(0, rest.find('\n')));
    }

    const std::string& name_;
    std::size_t line_ = 1;
    int levels_ = 0;
    bool first_ = true;
    bool begun_ = false;
    bool in_text_ = false;
    bool escaped_ = false;
};

/// Throws what is wrong at a byte (from 1) where no document can continue.
[[noreturn]] void refuse(std::string_view text, const std::string& name, std::size_t at) {
    const std::size_t byte = std::min<std::size_t>(at, text.size());
    const std::size_t begin = byte > 0 ? byte - 1 : 0;
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(begin), '\n');
    std::string_view found = text.substr(begin);
    found = found.substr(0, found.find('\n'));
    const std::string place = name + ':' + std::to_string(line);
    if (!text.empty() && at > text.size())
        throw InputError(place + ": expected more JSON, found the end of the file");
    if (!text.empty() && found.empty())
        throw InputError(place + ": expected a closing quote, found the end of the line");
    throw InputError::at(name, static_cast<std::size_t>(line), "well-formed JSON", found);
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

}  // namespace

std::string read_json_text(const std::string& path) {
    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    const auto fail = [&](int reason) {
        throw InputError(path + ": cannot be read: " +
                         std::error_code(reason, std::generic_category()).message());
    };
    const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "rb"));
    if (file == nullptr) fail(errno);
    Outline outline(path);
    std::string text;
    while (true) {
        const std::size_t before = text.size();
        if (before >= text_bytes_max)
            throw InputError(path + ": expected at most 2^32 bytes of JSON, found more");
        text.resize(before + std::max(block_bytes, before / 2));
        const std::size_t got =
            std::fread(text.data() + before, 1, text.size() - before, file.get());
        if (got == 0 && std::ferror(file.get()) != 0) fail(errno);
        text.resize(before + got);
        if (got == 0) return text;
        outline.follow(std::string_view(text).substr(before));
    }
}

nlohmann::json parse_json(std::string_view text, const std::string& name) {
    using nlohmann::json;
    Outline(name).follow(text);
    try {
        return json::parse(text);
    } catch (const json::parse_error& error) {
        refuse(text, name, error.byte);
    } catch (const json::out_of_range&) {
        throw InputError(name + ": expected numbers within 64 bits, found a larger one");
    }
}

void follow_json(std::string_view text, const std::string& name, JsonEvents& events) {
    Outline(name).follow(text);
    Teller teller(text, name, events);
    nlohmann::json::sax_parse(text, &teller);
}

std::string json_text(const nlohmann::json& value, int indent) {
    return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_text(const nlohmann::ordered_json& value, int indent) {
    return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json object_of_schema(const char* name, int version) {
    nlohmann::ordered_json object;
    object["schema"] = {{"name", name}, {"version", version}};
    return object;
}

}  // namespace equipoise
