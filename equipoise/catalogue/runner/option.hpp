#pragma once
// An option of a verb, declared once: everything that the command line, Python and scenarios know
// about it.

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/spec_info.hpp"
#include "equipoise/catalogue/registry/parameters.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/io/round_files.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::catalogue {

/// An option as the command line writes it (a spec, a word or a file), or what a program gives in
/// its place.
template <class T>
struct TextOr {
    std::string text = {};  ///< empty: not given
    std::optional<T> value = {};

    [[nodiscard]] bool given() const { return value.has_value() || !text.empty(); }
};

/// The field of a request that holds the value of an option; its type says how the option is
/// written.
using OptionValue =
    std::variant<bool*, int*, std::uint64_t*, std::optional<Step>*, std::string*, ParameterTexts*,
                 TextOr<load::Loads>*, TextOr<network::MatchingSequence>*,
                 TextOr<network::RoundWeights>*, TextOr<std::vector<Ends>>*>;

/// A text, or a function that makes it.
class OptionText {
  public:
    constexpr OptionText() = default;
    constexpr OptionText(const char* text) : text_(text) {}  // NOLINT(google-explicit-constructor)
    template <std::convertible_to<std::string (*)()> Make>
    constexpr OptionText(Make make) : make_(make) {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] std::string text() const { return make_ == nullptr ? text_ : make_(); }

  private:
    const char* text_ = "";
    std::string (*make_)() = nullptr;
};

/// What people are told about an option.
struct OptionInfo {
    std::string_view name;      ///< without the command line's dashes; Python writes _ for -
    OptionText help;            ///< one line
    OptionText in_python = {};  ///< empty: `help` holds there too
    /// The values, or what they begin with: specs, or plain words. Null: not listed.
    std::vector<SpecInfo> (*specs)() = nullptr;
    std::vector<std::string> (*words)() = nullptr;
    bool names_file = false;            ///< whether the value may name a file,
    std::string_view file_prefix = {};  ///< after this
    unsigned least = 0;                 ///< the range of an `int`
    unsigned most = std::numeric_limits<int>::max();
    bool in_scenarios = true;
};

}  // namespace equipoise::catalogue
