#pragma once
// A JSON value that knows its place in its file, for messages, and is checked when it is read.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace equipoise::trace {

/// Borrows the value, the name of its file and the value that holds it. Reading it as something
/// else than it is throws InputError naming file, place (`phases[0].tasks[2].time`), what was
/// expected and what was found.
class StrictValue {
  public:
    StrictValue(nlohmann::json& json, const std::string& file) : json_(&json), file_(&file) {}

    [[nodiscard]] nlohmann::json& json() const { return *json_; }

    /// An object whose keys are among these.
    void expect_keys(std::initializer_list<const char*> known) const;
    void expect_object() const;
    /// Requires an object.
    [[nodiscard]] std::optional<StrictValue> find(const char* key) const;
    [[nodiscard]] StrictValue at(const char* key) const;
    /// Calls `visit` with every element of a list.
    void for_each(const std::function<void(const StrictValue&)>& visit) const;

    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool truth() const;
    void expect_whole() const;
    [[nodiscard]] std::int64_t signed_whole() const;
    [[nodiscard]] std::uint64_t unsigned_whole() const;
    /// A whole number in 0 .. most.
    [[nodiscard]] std::int64_t count(std::int64_t most) const;
    /// A number, 0 or more; from then on it is written with a decimal point.
    [[nodiscard]] double amount(const char* what) const;

    [[noreturn]] void refuse(const std::string& expected) const;
    [[noreturn]] void fail(const std::string& what) const;

  private:
    StrictValue(nlohmann::json& json, const StrictValue& holder, const char* key,
                std::size_t number)
        : json_(&json), file_(holder.file_), holder_(&holder), key_(key), number_(number) {}

    [[nodiscard]] std::string place() const;

    nlohmann::json* json_;
    const std::string* file_;
    const StrictValue* holder_ = nullptr;
    const char* key_ = nullptr;
    std::size_t number_ = 0;
};

}  // namespace equipoise::trace
