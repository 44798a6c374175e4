#pragma once
// JSON written value by value, without a tree of values: documents may hold hundreds of millions of
// numbers.

#include <array>
#include <charconv>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace equipoise {

/// How the entries of an object or a list are laid out.
struct JsonLayout {
    bool indented = true;    ///< each on a line of its own, indented by its level
    std::size_t a_line = 0;  ///< otherwise this many on a line, not indented; 0: all
};

inline constexpr JsonLayout json_lines{};
inline constexpr JsonLayout json_one_line{.indented = false};

/// Writes one document to `sink`, in blocks. The caller opens, closes and names members in such an
/// order that the text is valid JSON.
class JsonWriter {
  public:
    using Sink = std::function<void(std::string_view)>;

    /// `indent`: the number of blanks for each level.
    JsonWriter(Sink sink, std::size_t indent) : sink_(std::move(sink)), indent_(indent) {}

    void open_object(JsonLayout layout = json_lines) { open('{', layout); }
    void open_list(JsonLayout layout = json_lines) { open('[', layout); }
    void open_object(std::string_view key, JsonLayout layout = json_lines) {
        name(key);
        open_object(layout);
    }
    void open_list(std::string_view key, JsonLayout layout = json_lines) {
        name(key);
        open_list(layout);
    }
    /// Closes what was opened last.
    void close();
    /// Begins a member; its value follows.
    void name(std::string_view key);

    /// The value of the member that `name` has begun, or the next element of a list: a number, a
    /// truth value, a text, or null for nothing.
    template <class T>
    void value(const T& value) {
        entry();
        put(value);
    }
    template <class T>
    void member(std::string_view key, const T& value) {
        name(key);
        this->value(value);
    }
    /// A list on one line.
    template <class... Ts>
    void tuple(const Ts&... values) {
        entry();
        text_ += '[';
        bool first = true;
        ((text_ += first ? "" : ",", first = false, put(values)), ...);
        text_ += ']';
    }
    template <class Number>
    void numbers(std::string_view key, const std::vector<Number>& list) {
        open_list(key, json_one_line);
        for (const Number number : list)
            value(number);
        close();
    }

    /// Ends the text with a line break.
    void finish();

  private:
    static constexpr std::size_t block_bytes = std::size_t{1} << 16U;

    /// An object or a list that is open.
    struct Level {
        JsonLayout layout;
        bool is_object = false;
        std::size_t count = 0;  ///< of entries so far
    };

    void open(char bracket, JsonLayout layout);
    /// Writes what precedes an entry.
    void entry() {
        if (named_ || levels_.empty()) {
            named_ = false;
            return;
        }
        if (text_.size() >= block_bytes) spill();
        Level& level = levels_.back();
        if (level.count > 0) text_ += ',';
        if (level.layout.indented) {
            line(levels_.size());
        } else if (level.count > 0) {
            if (level.layout.a_line > 0 && level.count % level.layout.a_line == 0) {
                text_ += '\n';
            } else if (level.is_object) {
                text_ += ' ';
            }
        }
        ++level.count;
    }
    void line(std::size_t level) {
        text_ += '\n';
        text_.append(level * indent_, ' ');
    }
    void spill();

    template <class Number>
        requires std::is_integral_v<Number>
    void put(Number number) {
        if constexpr (std::is_same_v<Number, bool>) {
            text_ += number ? "true" : "false";
        } else {
            std::array<char, 24> digits = {};
            const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
            text_.append(digits.data(), end.ptr);
        }
    }
    void put(double number);
    void put(std::string_view text);
    template <class T>
    void put(const std::optional<T>& value) {
        if (value) {
            put(*value);
        } else {
            text_ += "null";
        }
    }
    void put(std::nullopt_t /*none*/) { text_ += "null"; }

    Sink sink_;
    std::size_t indent_;
    std::string text_;  ///< not yet in the sink
    std::vector<Level> levels_;
    bool named_ = false;  ///< a member was begun
};

}  // namespace equipoise
