#include "equipoise/report/tables/lines.hpp"

#include <algorithm>

#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

/// The next word, and the spaces before it, are taken from the front of the text.
struct Word {
    std::string_view spaces;
    std::string_view letters;
};

bool binds(std::string_view word) {
    return word == "-" || word == "=" || word == "<=" || word == ">=";
}

/// The end of the letters that begin in a place; a quotation ends with its second mark.
std::size_t end_of_letters(std::string_view text, std::size_t begin) {
    std::size_t end = begin;
    for (bool quoted = false; end < text.size() && (quoted || text[end] != ' '); ++end)
        if (text[end] == '`') quoted = !quoted && text.find('`', end + 1) != std::string_view::npos;
    return end;
}

Word take_word(std::string_view& text) {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    std::size_t last = begin;  // where the letters taken last begin
    std::size_t end = end_of_letters(text, begin);
    while (end + 1 < text.size()) {
        const std::size_t next = end_of_letters(text, end + 1);
        if (!binds(text.substr(last, end - last)) && !binds(text.substr(end + 1, next - end - 1)))
            break;
        last = end + 1;
        end = next;
    }
    const Word word = {text.substr(0, begin), text.substr(begin, end - begin)};
    text.remove_prefix(end);
    return word;
}

/// The first line may be wider, or narrower, than the others.
std::vector<std::string> lines_within(std::string_view text, std::size_t first,
                                      std::size_t others) {
    std::vector<std::string> lines = {""};
    std::size_t used = 0;
    while (!text.empty()) {
        const Word word = take_word(text);
        if (word.letters.empty()) break;
        const std::size_t more = width_of(word.spaces) + width_of(word.letters);
        const std::size_t remark = word.spaces.size() > 1 ? width_of(text) : 0;
        if (used > 0 && used + more + remark > (lines.size() == 1 ? first : others)) {
            lines.emplace_back(word.letters);
            used = width_of(word.letters);
        } else {
            lines.back().append(word.spaces).append(word.letters);
            used += more;
        }
    }
    return lines;
}

/// What is left of a line behind an indent.
std::size_t behind(std::size_t indent, std::size_t width) {
    return std::max(width, indent + 1) - indent;
}

}  // namespace

std::vector<std::string> lines_of(std::string_view text, std::size_t width) {
    if (width == 0) return {std::string(text)};
    return lines_within(text, width, width);
}

std::string hanging(std::string_view text, std::size_t indent, std::size_t width,
                    std::optional<std::size_t> first) {
    if (width == 0) return std::string(text);
    // Where hardly any column is left, long lines read better than words one below the other.
    constexpr std::size_t least = 16;
    const std::size_t room = std::max(width, indent + least);
    std::string all;
    for (const std::string& line :
         lines_within(text, behind(first.value_or(indent), room), behind(indent, room))) {
        if (!all.empty()) all += '\n' + std::string(indent, ' ');
        all += line;
    }
    return all;
}

std::string named_line(std::string_view name, std::string_view value, std::size_t width) {
    constexpr std::size_t column = 19;
    std::string line = "  " + std::string(name);
    line.append(line.size() + 1 < column ? column - line.size() : 1, ' ');
    return line + hanging(value, column, width) + '\n';
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
    std::string all;
    if (width == 0) {
        all = text;
        if (!all.empty() && all.back() != '\n') all += '\n';
        return all;
    }
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
        std::size_t at = begin;
        for (const std::string& piece : lines_within(line.substr(begin), behind(begin, width),
                                                     behind(begin + indent, width))) {
            all.append(piece.empty() ? 0 : at, ' ').append(piece).append("\n");
            at = begin + indent;
        }
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    return all;
}

}  // namespace equipoise::report
