#include "equipoise/base/printable.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "equipoise/base/utf8.hpp"

namespace equipoise {

namespace {

/// `\x1b` or, with 4 digits, `\u001b`.
std::string escape(char kind, std::uint32_t code, std::size_t digits) {
    constexpr std::string_view hexadecimal = "0123456789abcdef";
    std::string text = {'\\', kind};
    for (std::size_t digit = digits; digit-- > 0;)
        text += hexadecimal[(code >> (4 * digit)) & 0xfU];
    return text;
}

/// What stands for a character that is not printed.
std::string escape_of(std::uint32_t code) {
    if (code == '\n') return "\\n";
    if (code == '\r') return "\\r";
    if (code == '\t') return "\\t";
    return escape('u', code, 4);
}

/// Whether a character is a control character, ends a line, or turns the direction of writing.
bool steers(std::uint32_t code) {
    const auto within = [&](std::uint32_t first, std::uint32_t last) {
        return first <= code && code <= last;
    };
    return code < 0x20 || within(0x7f, 0x9f) || within(0x2028, 0x202e) || within(0x2066, 0x2069);
}

}  // namespace

std::string printable(std::string_view text, std::string_view kept) {
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        const auto character = first_character(text);
        if (!character) {
            clean += escape('x', static_cast<unsigned char>(text.front()), 2);
            text.remove_prefix(1);
            continue;
        }
        const auto [code, length] = *character;
        const std::string_view whole = text.substr(0, length);
        if (steers(code) && kept.find(whole) == std::string_view::npos) {
            clean += escape_of(code);
        } else {
            clean += whole;
        }
        text.remove_prefix(length);
    }
    return clean;
}

namespace {

/// The first `begin` and the last `end` bytes of a text that is longer than both.
std::string ends_of(std::string_view text, std::size_t begin, std::size_t end) {
    const auto inside = [&](std::size_t at) {  // of a character of UTF-8
        return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U;
    };
    std::size_t last = text.size() - end;
    while (last < text.size() && inside(last))
        ++last;
    return std::string(text.substr(0, whole_characters(text, begin))) + "..." +
           std::string(text.substr(last));
}

}  // namespace

std::string shortened(std::string_view text) {
    constexpr std::size_t word_max = 160;
    constexpr std::size_t text_max = 800;
    std::string words;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        if (word.size() <= word_max)
            words += word;
        else
            words += ends_of(word, word_max / 2, word_max / 2 - 3);
        if (end < text.size()) words += ' ';
        begin = end + 1;
    }
    if (words.size() <= text_max) return words;
    return ends_of(words, text_max - text_max / 4, text_max / 4 - 3);
}

std::string one_line(std::string_view text) {
    constexpr std::string_view blanks = " \t\n\v\f\r";
    std::string line;
    line.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_not_of(blanks, at), text.size());
        const std::string_view run = text.substr(at, end - at);
        const bool breaks = run.find_first_not_of(' ') != std::string_view::npos;
        if (!breaks)
            line += run;
        else if (at > 0 && end < text.size())
            line += ' ';
        at = std::min(text.find_first_of(blanks, end), text.size());
        line += text.substr(end, at - end);
    }
    return printable(line);
}

std::string beginning_of(std::string_view text) {
    constexpr std::size_t bytes_max = 60;
    if (text.size() <= bytes_max) return std::string(text);
    return std::string(text.substr(0, whole_characters(text, bytes_max))) + "...";
}

}  // namespace equipoise
