#include "equipoise/base/spec.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <system_error>

#include "equipoise/base/suggest.hpp"

namespace equipoise {

namespace {

/// The whole text as a number, or nothing.
template <class Number>
std::optional<Number> number_from(std::string_view text) {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stopped != end) return std::nullopt;
    return value;
}

std::string shown(double value) {
    std::array<char, 32> digits{};
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return {digits.data(), result.ptr};
}

std::string range_of_whole(std::uint64_t least, std::uint64_t most) {
    if (most == ~std::uint64_t{0}) return "a whole number, " + std::to_string(least) + " or more";
    return "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
}

std::string key_prefix(std::string_view key) {
    return std::string(key) + "=";
}

InputError unexpected(const std::string& place, const std::string& expected,
                      std::string_view found) {
    return InputError(place + ": expected " + expected + ", found " +
                      (found.empty() ? "nothing" : '"' + std::string(found) + '"'));
}

}  // namespace

InputError Spec::wrong(const std::string& expected, std::string_view found) const {
    return unexpected(subject_, expected, found);
}

Spec Spec::parse(std::string_view text) {
    Spec spec;
    spec.text_ = text;
    spec.subject_ = "spec '" + spec.text_ + '\'';
    const std::size_t colon = text.find(':');
    spec.name_ = text.substr(0, colon);
    if (spec.name_.empty() || spec.name_.find_first_of("=,") != std::string::npos)
        throw spec.wrong("a name, optionally followed by ':' and values", text);
    if (colon != std::string_view::npos)
        spec.read_values(text.substr(colon + 1), Bare::positional, Bare::wrong);
    return spec;
}

Spec Spec::parse_values(std::string_view name, std::string_view text) {
    Spec spec;
    spec.text_ = text;
    spec.name_ = name;
    spec.subject_ = spec.name_ + " '" + spec.text_ + '\'';
    spec.read_values(text, Bare::flag, Bare::flag);
    return spec;
}

void Spec::read_values(std::string_view text, Bare first, Bare rest) {
    for (Bare bare = first;; bare = rest) {
        const std::size_t comma = text.find(',');
        const std::string_view item = text.substr(0, comma);
        const std::size_t equals = item.find('=');
        const bool has_value = equals != std::string_view::npos;
        const std::string_view key = item.substr(0, equals);
        const std::string_view value = has_value ? item.substr(equals + 1) : "";
        if (key.empty() || (has_value ? value.empty() : bare == Bare::wrong))
            throw wrong("key=value", item);
        if (!has_value && bare == Bare::positional) {
            positional_ = item;
        } else {
            if (has(key)) throw wrong(key_prefix(key) + " once", item);
            values_.emplace_back(key, value);
        }
        if (comma == std::string_view::npos) return;
        text = text.substr(comma + 1);
    }
}

bool Spec::has(std::string_view key) const {
    return find(key) != nullptr;
}

const std::string* Spec::find(std::string_view key) const {
    const auto found = std::find_if(values_.begin(), values_.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    return found == values_.end() ? nullptr : &found->second;
}

std::uint64_t Spec::whole(std::string_view key, std::uint64_t least, std::uint64_t most) const {
    const std::string* const value = find(key);
    const std::optional<std::uint64_t> number =
        value == nullptr ? std::nullopt : number_from<std::uint64_t>(*value);
    if (!number || *number < least || *number > most)
        throw unexpected(subject_ + ": " + key_prefix(key), range_of_whole(least, most),
                         value == nullptr ? "" : *value);
    return *number;
}

std::uint64_t Spec::whole(std::string_view key, std::uint64_t least, std::uint64_t most,
                          std::uint64_t fallback) const {
    return has(key) ? whole(key, least, most) : fallback;
}

double Spec::real(std::string_view key, double least, double most) const {
    const std::string* const value = find(key);
    const std::optional<double> number =
        value == nullptr ? std::nullopt : number_from<double>(*value);
    // Written so that NaN fails too.
    if (!number || !(*number >= least && *number <= most))
        throw unexpected(subject_ + ": " + key_prefix(key),
                         "a number from " + shown(least) + " to " + shown(most),
                         value == nullptr ? "" : *value);
    return *number;
}

double Spec::real(std::string_view key, double least, double most, double fallback) const {
    return has(key) ? real(key, least, most) : fallback;
}

std::string Spec::word(std::string_view key, std::string_view fallback) const {
    const std::string* const value = find(key);
    return value == nullptr ? std::string(fallback) : *value;
}

bool Spec::flag(std::string_view key) const {
    const std::string* const value = find(key);
    return value != nullptr && (value->empty() || whole(key, 0, 1) == 1);
}

std::vector<std::uint64_t> Spec::sides(std::uint64_t least, std::uint64_t most) const {
    const std::string expected =
        "sides such as 8x8, each " + range_of_whole(least, most) + ", after '" + name_ + ":'";
    std::vector<std::uint64_t> sides;
    std::string_view rest = positional();
    while (true) {
        const std::size_t cross = rest.find('x');
        const auto side = number_from<std::uint64_t>(rest.substr(0, cross));
        if (!side || *side < least || *side > most) throw wrong(expected, positional_);
        sides.push_back(*side);
        if (cross == std::string_view::npos) return sides;
        rest = rest.substr(cross + 1);
    }
}

void Spec::expect_only(std::span<const std::string_view> known, bool positional) const {
    const std::vector<std::string> keys(known.begin(), known.end());
    if (!positional_.empty() && !positional) {
        std::vector<std::string> forms;
        for (const std::string& key : keys)
            forms.push_back(key + "=VALUE");
        throw wrong(keys.empty() ? "nothing after '" + name_ + '\'' : listed(forms, " or "),
                    positional_);
    }
    for (const auto& [key, value] : values_) {
        if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
        throw InputError(subject_ + ": unknown key \"" + key + '"' +
                         (keys.empty() ? ": " + name_ + " takes no keys" : suggestion(key, keys)));
    }
}

}  // namespace equipoise
