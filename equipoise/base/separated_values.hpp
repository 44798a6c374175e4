#pragma once
// Lines of separated values: fields between commas, semicolons, tabs or blanks, some in quotes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise {

/// What stands between two fields: a comma, semicolon or tab with any blanks around it, or a run of
/// blanks and tabs.
enum class Separator : char { comma = ',', semicolon = ';', tab = '\t', blanks = ' ' };

/// "commas", "semicolons", "tabs", "blanks".
[[nodiscard]] std::string_view to_string(Separator separator);

/// Takes the next field, without blanks around it and with its quotes if it has any, and the
/// separator behind it off the front of `rest`. Only for lines in which no field is in quotes.
template <Separator separator>
[[nodiscard]] inline std::string_view take_field(std::string_view& rest) {
    constexpr auto mark = static_cast<char>(separator);
    constexpr bool runs = separator == Separator::blanks;
    const auto blank = [](char c) {
        return c == ' ' || (c == '\t' && separator != Separator::tab);
    };
    const auto ends = [&](char c) { return runs ? blank(c) : c == mark; };
    std::size_t from = 0;
    while (from < rest.size() && blank(rest[from]))
        ++from;
    std::size_t to = from;
    while (to < rest.size() && !ends(rest[to]))
        ++to;
    const std::size_t past = to + (!runs && to < rest.size() ? 1 : 0);
    while (!runs && to > from && blank(rest[to - 1]))
        --to;
    const std::string_view field = rest.substr(from, to - from);
    rest.remove_prefix(past);
    return field;
}

/// A field of a line, without its quotes and the blanks around it.
struct Field {
    std::string text;
    bool quoted = false;
    std::size_t begin = 0;  ///< where the line's rest begins, this field first
};

/// The fields of a line; inside quotes a quote is doubled. With `blanks` no field is empty unless
/// it is in quotes. False if a quote is not closed or something follows it. Reuses the memory of
/// `fields`.
[[nodiscard]] bool split_fields(std::string_view line, Separator separator,
                                std::vector<Field>& fields);

/// Whether a line holds blanks and tabs only.
[[nodiscard]] bool is_blank(std::string_view line);

/// A text in quotes, those inside it doubled.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace equipoise
