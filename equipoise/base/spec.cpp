#include "equipoise/base/spec.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <system_error>

#include "equipoise/base/error.hpp"

namespace equipoise {

namespace {

InputError wrong(const std::string& text, const std::string& expected, std::string_view found) {
    std::string message = "spec '" + text + "': expected " + expected + ", found ";
    if (found.empty()) {
        message += "nothing";
    } else {
        message += '"';
        message += found;
        message += '"';
    }
    return InputError(message);
}

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

}  // namespace

Spec Spec::parse(std::string_view text) {
    Spec spec;
    spec.text_ = text;
    const std::size_t colon = text.find(':');
    spec.name_ = text.substr(0, colon);
    if (spec.name_.empty() || spec.name_.find_first_of("=,") != std::string::npos)
        throw wrong(spec.text_, "a name, optionally followed by ':' and values", text);
    if (colon == std::string_view::npos) return spec;

    std::string_view rest = text.substr(colon + 1);
    bool first = true;
    while (true) {
        const std::size_t comma = rest.find(',');
        const std::string_view item = rest.substr(0, comma);
        const std::size_t equals = item.find('=');
        if (equals == std::string_view::npos) {
            if (!first || item.empty()) throw wrong(spec.text_, "key=value", item);
            spec.positional_ = item;
        } else {
            const std::string_view key = item.substr(0, equals);
            const std::string_view value = item.substr(equals + 1);
            if (key.empty() || value.empty()) throw wrong(spec.text_, "key=value", item);
            if (spec.has(key)) throw wrong(spec.text_, key_prefix(key) + " once", item);
            spec.values_.emplace_back(key, value);
        }
        first = false;
        if (comma == std::string_view::npos) break;
        rest = rest.substr(comma + 1);
    }
    spec.used_.assign(spec.values_.size(), false);
    return spec;
}

const std::string& Spec::positional() const {
    positional_used_ = true;
    return positional_;
}

bool Spec::has(std::string_view key) const {
    return std::any_of(values_.begin(), values_.end(),
                       [&](const auto& entry) { return entry.first == key; });
}

const std::string* Spec::find(std::string_view key) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
        if (values_[i].first != key) continue;
        used_[i] = true;
        return &values_[i].second;
    }
    return nullptr;
}

std::uint64_t Spec::whole(std::string_view key, std::uint64_t least, std::uint64_t most) const {
    const std::string* const value = find(key);
    const std::optional<std::uint64_t> number =
        value == nullptr ? std::nullopt : number_from<std::uint64_t>(*value);
    if (!number || *number < least || *number > most)
        throw wrong(text_, key_prefix(key) + " with " + range_of_whole(least, most),
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
        throw wrong(text_,
                    key_prefix(key) + " with a number from " + shown(least) + " to " + shown(most),
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

std::vector<std::uint64_t> Spec::sides(std::uint64_t least, std::uint64_t most) const {
    const std::string expected =
        "sides such as 8x8, each " + range_of_whole(least, most) + ", after '" + name_ + ":'";
    std::vector<std::uint64_t> sides;
    std::string_view rest = positional();
    while (true) {
        const std::size_t cross = rest.find('x');
        const auto side = number_from<std::uint64_t>(rest.substr(0, cross));
        if (!side || *side < least || *side > most) throw wrong(text_, expected, positional_);
        sides.push_back(*side);
        if (cross == std::string_view::npos) return sides;
        rest = rest.substr(cross + 1);
    }
}

void Spec::expect_done() const {
    if (!positional_.empty() && !positional_used_)
        throw wrong(text_, "only key=value after '" + name_ + ":'", positional_);
    for (std::size_t i = 0; i < values_.size(); ++i) {
        if (used_[i]) continue;
        throw wrong(text_, "only keys that " + name_ + " knows",
                    values_[i].first + "=" + values_[i].second);
    }
}

}  // namespace equipoise
