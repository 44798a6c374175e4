#pragma once
// How the fields of the lines of an edge list are separated.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "equipoise/base/separated_values.hpp"

namespace equipoise::network {

/// What a line with at least two fields can be.
enum class LineShape : std::uint8_t {
    none,       ///< not even a header: an id is missing
    header,     ///< a header alone: the ids are followed by words
    link,       ///< a link, or a header of two columns
    with_more,  ///< a link with a weight, a time or a list in braces
};

/// The shape of a line with these fields: two ids, then at most two numbers or a list in braces.
[[nodiscard]] LineShape shape_of(const std::vector<Field>& fields);

/// Whether the rest of a line is at most two numbers (weight, time) with nothing in quotes.
template <Separator separator>
[[nodiscard]] bool is_numbers(std::string_view rest);

/// What separates the fields of an edge list, judged by its first two lines: with this separator
/// the first can be a link or a header, and the second a link. If that is true of several, marks
/// win over blanks, which may be part of names ("New York,Boston"), unless the blanks stand between
/// numbers or before quotes ("7<tab>6 0.5", "0,1 0,2"), and among marks the one that gives more
/// fields.
[[nodiscard]] Separator separator_of(std::string_view first,
                                     std::optional<std::string_view> second);

}  // namespace equipoise::network
