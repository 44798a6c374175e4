#pragma once
// Texts with placeholders: {n}, {k*k}, {n-1} stand for values, or for whole numbers computed from
// values.

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace equipoise::catalogue {

/// The value of each name. A value that takes part in arithmetic must be a whole number.
using PlaceholderValues = std::map<std::string, std::string>;

/// Whether a text can be the name of a placeholder: a letter, then letters, digits and underscores.
[[nodiscard]] bool is_placeholder_name(std::string_view text);

/// The names in the placeholders of a text. Throws InputError for a placeholder that is not closed
/// or is no expression of names, whole numbers, + - * / and parentheses.
[[nodiscard]] std::set<std::string> placeholder_names(const std::string& text);

/// The text with every placeholder replaced: a name by its value as it is written, an expression by
/// its result in whole numbers (/ rounds down). Throws InputError as above, for a name without a
/// value, for a division by 0, and for a result below 0 or beyond 63 bits.
[[nodiscard]] std::string fill_placeholders(const std::string& text,
                                            const PlaceholderValues& values);

}  // namespace equipoise::catalogue
