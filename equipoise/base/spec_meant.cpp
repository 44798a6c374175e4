#include "equipoise/base/spec_meant.hpp"

#include <algorithm>
#include <cstddef>

#include "equipoise/base/lower_case.hpp"

namespace equipoise {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_number(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::vector<std::string> split(std::string_view text, std::string_view separators) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (separators.find(c) == std::string_view::npos)
            parts.back() += c;
        else
            parts.emplace_back();
    }
    return parts;
}

/// "8,8" or "8*8" -> "8x8"
std::string as_sides(std::string_view values) {
    std::string plain(values);
    std::erase(plain, ' ');
    std::string sides;
    for (const std::string& side : split(plain, "xX*,")) {
        if (!is_number(side)) return "";
        sides += (sides.empty() ? "" : "x") + side;
    }
    return sides;
}

/// "1,000" is one number: the digits behind the comma belong to the value before it.
void join_thousands(std::vector<std::string>& items) {
    for (std::size_t i = 1; i < items.size();) {
        const std::string& before = items[i - 1];
        const std::string digits = before.substr(before.find('=') + 1);
        if (items[i].size() != 3 || !is_number(items[i]) || !is_number(digits) ||
            before.find('=') == std::string::npos) {
            ++i;
            continue;
        }
        items[i - 1] += items[i];
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

/// "n9" and "n:9" as the value of n; otherwise the whole text.
std::string_view value_of(std::string_view item, std::string_view key) {
    if (!item.starts_with(key) || item.size() <= key.size()) return item;
    const char next = item[key.size()];
    if (next == ':') return item.substr(key.size() + 1);
    return is_digit(next) ? item.substr(key.size()) : item;
}

std::string as_keys(std::string_view values, const SpecForm& form) {
    std::vector<std::string> items = split(values, ",");
    join_thousands(items);
    // tree:2x3
    if (items.size() == 1 && form.keys.size() > 1 && !as_sides(items[0]).empty())
        items = split(items[0], "xX*");
    std::vector<std::string_view> free = form.keys;
    for (const std::string& item : items)
        std::erase(free, std::string_view(item).substr(0, item.find('=')));
    std::string keyed;
    for (const std::string& item : items) {
        std::string named = item;
        if (item.find('=') == std::string::npos) {
            if (free.empty()) return "";
            const std::string_view value = value_of(item, free.front());
            if (value.empty() || !is_digit(value.front())) return "";
            named = std::string(free.front()).append("=").append(value);
            free.erase(free.begin());
        }
        keyed += (keyed.empty() ? "" : ",") + named;
    }
    return keyed;
}

/// What stands behind the colon.
std::string_view values_of(std::string_view text) {
    const std::size_t colon = text.find(':');
    return colon == std::string_view::npos ? "" : text.substr(colon + 1);
}

/// Whether a text begins with a name that does not go on.
bool begins_with(std::string_view text, std::string_view name) {
    if (!lower_case(text).starts_with(name)) return false;
    const std::string_view rest = text.substr(name.size());
    if (rest.empty() || (!is_letter(rest[0]) && rest[0] != '-')) return true;
    return rest[0] == '-' && rest.size() > 1 && is_digit(rest[1]);
}

/// What follows a name, without the signs around it: "8,8" of "(8,8)".
std::string_view without_signs(std::string_view rest) {
    const auto is_sign = [](char c) { return !is_letter(c) && !is_digit(c); };
    while (!rest.empty() && is_sign(rest.front()))
        rest.remove_prefix(1);
    while (!rest.empty() && is_sign(rest.back()))
        rest.remove_suffix(1);
    return rest;
}

}  // namespace

std::string with_keys(std::string_view text, const SpecForm& form) {
    const std::string_view values = values_of(text);
    const std::string better = form.sides ? as_sides(values) : as_keys(values, form);
    if (better.empty() || better == values) return "";
    return std::string(form.name).append(":").append(better);
}

std::string remedy(std::string_view text, const SpecForm& form) {
    if (values_of(text).empty()) return std::string(" (as in ").append(form.example).append(")");
    return did_you_mean_spec(with_keys(text, form));
}

std::string meant_spec(std::string_view text, std::span<const SpecForm> forms, OtherNames others) {
    std::string_view written;
    const SpecForm* meant = nullptr;
    const auto look = [&](std::string_view name, const SpecForm& form) {
        if (name.size() <= written.size() || !begins_with(text, name)) return;
        written = name;
        meant = &form;
    };
    for (const SpecForm& form : forms) {
        look(form.name, form);
        for (const auto& [other, known] : others)
            if (known == form.name) look(other, form);
    }
    if (meant == nullptr) return "";
    const std::string_view rest = without_signs(text.substr(written.size()));
    if (rest.empty()) return std::string(meant->example);
    const std::string spec = std::string(meant->name).append(":").append(rest);
    const std::string better = with_keys(spec, *meant);
    return better.empty() ? spec : better;
}

std::string did_you_mean_spec(const std::string& spec) {
    return spec.empty() ? "" : ": did you mean \"" + spec + "\"?";
}

}  // namespace equipoise
