#include "equipoise/report/pictures/chart_look.hpp"

#include <algorithm>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/suggest.hpp"

namespace equipoise::report {

namespace {

constexpr double least_side = 20;
constexpr double largest_side = 2000;
constexpr double least_points = 4;
constexpr double largest_points = 72;

std::optional<double> side_from(std::string_view text) {
    const auto number = real_number(text);
    if (!number || !(*number >= least_side && *number <= largest_side)) return std::nullopt;
    return number;
}

}  // namespace

std::size_t place_of_word(std::string_view word, const std::vector<std::string>& words,
                          const char* option) {
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end())
        throw InputError(std::string(option) + ": " + expected_word(word, words));
    return static_cast<std::size_t>(found - words.begin());
}

const std::vector<std::string>& palette_words() {
    static const std::vector<std::string> words = {"colour-blind", "print", "grey"};
    return words;
}

look::Palette palette_from_word(std::string_view word) {
    return static_cast<look::Palette>(place_of_word(word, palette_words(), "--colours"));
}

const std::vector<std::string>& line_style_words() {
    static const std::vector<std::string> words = {"solid", "styled"};
    return words;
}

bool line_styles_from_word(std::string_view word) {
    return place_of_word(word, line_style_words(), "--lines") == 1;
}

const std::vector<std::string>& key_place_words() {
    static const std::vector<std::string> words = {
        "above", "right", "inside", "top-left", "top-right", "bottom-left", "bottom-right", "none"};
    return words;
}

KeyPlace key_place_from_word(std::string_view word) {
    return static_cast<KeyPlace>(place_of_word(word, key_place_words(), "--legend"));
}

ChartSize size_from_text(std::string_view text) {
    const std::size_t by = text.find('x');
    const auto width = side_from(text.substr(0, by));
    const auto height =
        by == std::string_view::npos ? std::optional(0.0) : side_from(text.substr(by + 1));
    if (!width || !height)
        throw InputError(
            "--size: expected a width and a height in millimetres from 20 to 2000, such as 85x60, "
            "or a width, found \"" +
            std::string(text) + '"');
    return {*width, *height};
}

std::string font_from_text(std::string_view text) {
    const bool plain = std::none_of(text.begin(), text.end(), [](char letter) {
        const auto code = static_cast<unsigned char>(letter);
        return code < 0x20U || std::string_view("'\"\\<>&;").find(letter) != std::string_view::npos;
    });
    if (text.empty() || !plain)
        throw InputError("--font: expected the name of a font, or serif, sans or mono, found \"" +
                         std::string(text) + '"');
    return std::string(text);
}

double font_points_from_text(std::string_view text) {
    const auto points = real_number(text);
    if (!points || !(*points >= least_points && *points <= largest_points))
        throw InputError("--font-size: expected points from 4 to 72, found \"" + std::string(text) +
                         '"');
    return *points;
}

}  // namespace equipoise::report
