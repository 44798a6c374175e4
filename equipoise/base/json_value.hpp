#pragma once
// A JSON value that knows its place in its file, for messages, and is checked when it is read.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace equipoise {

/// Borrows the value, the name of its file and the value that holds it, all of which outlive it.
/// Reading a value as something else than it is throws InputError naming file, place
/// (`phases[0].tasks[2].time`), what was expected and what was found. The text of a place is made
/// only for such a message.
class JsonValue {
  public:
    JsonValue(nlohmann::json& json, const std::string& file) : json_(&json), file_(&file) {}

    [[nodiscard]] nlohmann::json& json() const { return *json_; }
    [[nodiscard]] bool is_null() const;
    [[nodiscard]] bool is_object() const;
    [[nodiscard]] bool is_list() const;
    [[nodiscard]] bool is_text() const;

    void expect_object() const;
    /// An object whose keys are among these.
    void expect_keys(std::initializer_list<std::string_view> known) const;
    void expect_keys(std::span<const std::string_view> known) const;
    /// Whether this is an object with the key.
    [[nodiscard]] bool has(std::string_view key) const;
    /// The value of a key, if this is an object that has it.
    [[nodiscard]] std::optional<JsonValue> find(std::string_view key) const&;
    std::optional<JsonValue> find(std::string_view key) && = delete;
    /// The value of a key that an object must have.
    [[nodiscard]] JsonValue at(std::string_view key) const&;
    JsonValue at(std::string_view key) && = delete;
    /// Calls `visit` with every key of an object and its value, in the order of the keys.
    void for_each_member(
        const std::function<void(const std::string&, const JsonValue&)>& visit) const;
    /// An object whose values are texts.
    [[nodiscard]] std::map<std::string, std::string> texts_by_key() const;

    /// The length of a list, which messages call `what`.
    [[nodiscard]] std::size_t size(std::string_view what = "a list") const;
    /// An element of a list.
    [[nodiscard]] JsonValue at(std::size_t number) const&;
    JsonValue at(std::size_t number) && = delete;
    /// Calls `visit` with every element of a list, which messages call `what`.
    void for_each(const std::function<void(const JsonValue&)>& visit,
                  std::string_view what = "a list") const;
    /// A list of texts.
    [[nodiscard]] std::vector<std::string> texts() const;
    /// A list of whole numbers.
    template <class Integer>
    [[nodiscard]] std::vector<Integer> numbers() const {
        std::vector<Integer> list(size("a list of whole numbers"));
        for (std::size_t i = 0; i < list.size(); ++i)
            list[i] = static_cast<Integer>(whole_at(i, range_of<Integer>()));
        return list;
    }
    /// Element `number` of a list, itself a list of whole numbers, which messages call `shape`.
    template <class... Integers>
    void tuple(std::size_t number, std::string_view shape, Integers&... numbers) const {
        static constexpr std::array ranges = {range_of<Integers>()...};
        std::array<std::uint64_t, sizeof...(Integers)> found{};
        tuple_at(number, shape, ranges.data(), found.data(), found.size());
        std::size_t i = 0;
        ((numbers = static_cast<Integers>(found[i++])), ...);
    }

    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool truth() const;
    [[nodiscard]] double real() const;
    /// A whole number of this type, within these bounds.
    template <class Integer>
    [[nodiscard]] Integer whole(Integer least = std::numeric_limits<Integer>::min(),
                                Integer most = std::numeric_limits<Integer>::max()) const {
        return static_cast<Integer>(
            whole_in({static_cast<std::int64_t>(least), static_cast<std::uint64_t>(most)}));
    }
    /// Sixteen hexadecimal digits.
    [[nodiscard]] std::uint64_t digest() const;

    /// Throws `FILE: PLACE: expected E, found F`, where F is this value or its beginning.
    [[noreturn]] void refuse(std::string_view expected) const;
    /// Throws `FILE: PLACE: WHAT`.
    [[noreturn]] void fail(std::string_view what) const;

  private:
    /// Of whole numbers.
    struct Range {
        std::int64_t least = 0;
        std::uint64_t most = 0;
    };
    template <class Integer>
    static constexpr Range range_of() {
        return {static_cast<std::int64_t>(std::numeric_limits<Integer>::min()),
                static_cast<std::uint64_t>(std::numeric_limits<Integer>::max())};
    }

    JsonValue(nlohmann::json& json, const JsonValue& holder, std::string_view key,
              std::size_t number)
        : json_(&json), file_(holder.file_), holder_(&holder), key_(key), number_(number) {}

    /// Whole numbers in two's complement.
    [[nodiscard]] std::uint64_t whole_in(Range range) const;
    [[nodiscard]] std::uint64_t whole_at(std::size_t number, Range range) const;
    void tuple_at(std::size_t number, std::string_view shape, const Range* ranges,
                  std::uint64_t* found, std::size_t count) const;
    [[nodiscard]] std::string place() const;

    nlohmann::json* json_;
    const std::string* file_;
    const JsonValue* holder_ = nullptr;
    std::string_view key_;  ///< in an object; no data in a list
    std::size_t number_ = 0;
};

}  // namespace equipoise
