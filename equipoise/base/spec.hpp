#pragma once
// Specs: the short texts that name an instance, `name:key=value,key=value` or `name:8x8`.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"

namespace equipoise {

/// A parsed spec. Errors name it by its text.
class Spec {
  public:
    /// Throws InputError when the text is not `name`, `name:value` or `name:key=value,...`.
    static Spec parse(std::string_view text);
    /// A spec that consists of values only, `key=value,flag,...`; errors call it `name`.
    static Spec parse_values(std::string_view name, std::string_view text);

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    /// The value that stands without a key (`8x8` in `mesh:8x8`), or empty.
    [[nodiscard]] const std::string& positional() const { return positional_; }
    [[nodiscard]] bool has(std::string_view key) const;

    /// The value as a whole number in [least, most]. Throws InputError naming the spec, the key,
    /// what was found and what was expected when the value is missing or out of range; the overload
    /// with `fallback` allows it missing.
    [[nodiscard]] std::uint64_t whole(std::string_view key, std::uint64_t least,
                                      std::uint64_t most) const;
    [[nodiscard]] std::uint64_t whole(std::string_view key, std::uint64_t least, std::uint64_t most,
                                      std::uint64_t fallback) const;
    /// The value as a real number in [least, most].
    [[nodiscard]] double real(std::string_view key, double least, double most) const;
    [[nodiscard]] double real(std::string_view key, double least, double most,
                              double fallback) const;
    [[nodiscard]] std::string word(std::string_view key, std::string_view fallback) const;
    /// Whether a key was given, alone or with the value 1 rather than 0.
    [[nodiscard]] bool flag(std::string_view key) const;
    /// The positional value as sides `AxBxC`, each in [least, most].
    [[nodiscard]] std::vector<std::uint64_t> sides(std::uint64_t least, std::uint64_t most) const;

    /// Throws InputError naming the first key that is not `known`, with the nearest known one; or
    /// naming a value without a key unless one is `positional`. Call it before values are read, so
    /// that the error names the mistyped key rather than the key that is missing because of it, and
    /// nothing is computed for a bad spec.
    void expect_only(std::span<const std::string_view> known, bool positional = false) const;

  private:
    /// What an item without = is.
    enum class Bare : std::uint8_t { wrong, positional, flag };
    void read_values(std::string_view text, Bare first, Bare rest);
    [[nodiscard]] const std::string* find(std::string_view key) const;
    [[nodiscard]] InputError wrong(const std::string& expected, std::string_view found) const;

    std::string text_;
    std::string name_;
    std::string subject_;  ///< how errors begin: "spec 'path:n=x'"
    std::string positional_;
    std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace equipoise
