#include "equipoise/base/utf8.hpp"

#include <array>

namespace equipoise {

std::optional<Utf8Character> first_character(std::string_view text) {
    if (text.empty()) return std::nullopt;
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80U) return Utf8Character{lead, 1};
    if (lead < 0xc2U || lead > 0xf4U) return std::nullopt;
    const std::size_t length = lead >= 0xf0U ? 4 : lead >= 0xe0U ? 3 : 2;
    if (text.size() < length) return std::nullopt;
    std::uint32_t code = lead & (0xffU >> (length + 1));
    for (std::size_t at = 1; at < length; ++at) {
        if ((byte(at) & 0xc0U) != 0x80U) return std::nullopt;
        code = (code << 6U) | (byte(at) & 0x3fU);
    }
    constexpr std::array<std::uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};  // by length
    const bool is_surrogate = code >= 0xd800U && code < 0xe000U;
    if (code < least[length] || code > 0x10ffffU || is_surrogate) return std::nullopt;
    return Utf8Character{code, length};
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const auto character = first_character(text);
        if (!character) return false;
        text.remove_prefix(character->length);
    }
    return true;
}

void append_utf8(std::string& text, std::uint32_t code) {
    const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    const auto tail = [&](std::uint32_t shift) { put(0x80U | ((code >> shift) & 0x3fU)); };
    if (code < 0x80U) {
        put(code);
    } else if (code < 0x800U) {
        put(0xc0U | (code >> 6U));
        tail(0);
    } else if (code < 0x10000U) {
        put(0xe0U | (code >> 12U));
        tail(6);
        tail(0);
    } else {
        put(0xf0U | (code >> 18U));
        tail(12);
        tail(6);
        tail(0);
    }
}

std::size_t whole_characters(std::string_view text, std::size_t bytes_max) {
    std::size_t bytes = 0;
    while (bytes < text.size()) {
        const auto character = first_character(text.substr(bytes));
        const std::size_t length = character ? character->length : 1;
        if (bytes + length > bytes_max) break;
        bytes += length;
    }
    return bytes;
}

std::uint32_t code_of_windows_1252(char byte) {
    constexpr std::uint32_t first = 0x80;
    constexpr std::array<std::uint32_t, 32> codes = {
        // bytes without a character stand for themselves
        0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,  0x2030, 0x160,
        0x2039, 0x152,  0x8d,   0x17d,  0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
        0x2013, 0x2014, 0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};
    const std::uint32_t code = static_cast<unsigned char>(byte);
    return code >= first && code < first + codes.size() ? codes[code - first] : code;
}

}  // namespace equipoise
