#include "equipoise/base/printable.hpp"

#include <algorithm>
#include <cstddef>

namespace equipoise {

std::string printable(std::string_view text, std::string_view kept) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    std::string clean;
    clean.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (byte(at) == 0xc2 && at + 1 < text.size() && byte(at + 1) >= 0x80 &&
            byte(at + 1) <= 0x9f) {
            clean += '?';
            ++at;
            continue;
        }
        const bool control = byte(at) < 0x20 || byte(at) == 0x7f;
        clean += control && kept.find(text[at]) == std::string_view::npos ? '?' : text[at];
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
    while (begin > 0 && inside(begin))
        --begin;
    while (last < text.size() && inside(last))
        ++last;
    return std::string(text.substr(0, begin)) + "..." + std::string(text.substr(last));
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

std::string beginning_of(std::string_view text) {
    constexpr std::size_t bytes_max = 60;
    std::string begin(text.substr(0, bytes_max));
    return text.size() > bytes_max ? begin + "..." : begin;
}

}  // namespace equipoise
