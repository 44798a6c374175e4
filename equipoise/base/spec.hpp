#pragma once
// Specs: the short texts that name an instance, `name:key=value,key=value` or `name:8x8`.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace equipoise {

/// A parsed spec. Keys keep their order; every getter marks its key as used, so that `expect_done`
/// can name what was not understood.
class Spec {
  public:
    /// Throws InputError when the text is not `name`, `name:value` or `name:key=value,...`.
    static Spec parse(std::string_view text);

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    /// The value that stands without a key (`8x8` in `mesh:8x8`), or empty.
    [[nodiscard]] const std::string& positional() const;
    [[nodiscard]] bool has(std::string_view key) const;

    /// The value as a whole number in [least, most]. Throws InputError naming spec, key, found and
    /// expected when it is missing or out of range; the overload with `fallback` allows it missing.
    [[nodiscard]] std::uint64_t whole(std::string_view key, std::uint64_t least,
                                      std::uint64_t most) const;
    [[nodiscard]] std::uint64_t whole(std::string_view key, std::uint64_t least, std::uint64_t most,
                                      std::uint64_t fallback) const;
    /// The value as a real number in [least, most].
    [[nodiscard]] double real(std::string_view key, double least, double most) const;
    [[nodiscard]] double real(std::string_view key, double least, double most,
                              double fallback) const;
    [[nodiscard]] std::string word(std::string_view key, std::string_view fallback) const;
    /// The positional value as sides `AxBxC`, each in [least, most].
    [[nodiscard]] std::vector<std::uint64_t> sides(std::uint64_t least, std::uint64_t most) const;

    /// Throws InputError when a key was given that no getter has read.
    void expect_done() const;

  private:
    [[nodiscard]] const std::string* find(std::string_view key) const;

    std::string text_;
    std::string name_;
    std::string positional_;
    mutable bool positional_used_ = false;
    std::vector<std::pair<std::string, std::string>> values_;
    mutable std::vector<bool> used_;
};

}  // namespace equipoise
