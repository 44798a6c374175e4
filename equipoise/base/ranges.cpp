#include "equipoise/base/ranges.hpp"

#include <algorithm>

#include "equipoise/base/line_source.hpp"

namespace equipoise {

namespace {

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

}  // namespace

std::optional<Range> range_from(std::string_view text) {
    const std::size_t dots = text.find("..");
    const auto first = whole_number(text.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : whole_number(text.substr(dots + 2));
    if (!first || !last || *last < *first) return std::nullopt;
    return Range{*first, *last};
}

std::optional<std::vector<Range>> ranges_from(std::string_view text) {
    std::vector<Range> ranges;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const auto range = range_from(without_blanks(text.substr(begin, end - begin)));
        if (!range) return std::nullopt;
        ranges.push_back(*range);
        begin = end + 1;
    }
    return ranges;
}

std::optional<std::vector<std::uint64_t>> numbers_of(const std::vector<Range>& ranges,
                                                     std::size_t most) {
    std::size_t count = 0;
    for (const Range& range : ranges) {
        if (range.last - range.first >= most - count) return std::nullopt;
        count += static_cast<std::size_t>(range.last - range.first) + 1;
    }
    std::vector<std::uint64_t> numbers;
    numbers.reserve(count);
    for (const Range& range : ranges)
        for (std::uint64_t number = range.first;; ++number) {
            numbers.push_back(number);
            if (number == range.last) break;
        }
    return numbers;
}

}  // namespace equipoise
