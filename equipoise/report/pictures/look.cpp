#include "equipoise/report/pictures/look.hpp"

#include <cmath>

#include <fmt/format.h>

#include "equipoise/base/figures.hpp"

namespace equipoise::report::look {

namespace {

/// Widths of the letters from ' ' to '~' in hundredths of the size, of DejaVu Sans: the widest of
/// the fonts.
constexpr std::array<std::uint8_t, 95> letter_widths = {
    32, 41, 46, 84, 64, 96, 78, 28, 40,  40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69,  62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84};
/// The same of DejaVu Serif.
constexpr std::array<std::uint8_t, 95> serif_widths = {
    32, 41, 46, 84, 64, 96, 90, 28,  40, 40, 50, 84, 32, 34,  32, 34, 64, 64,  64,
    64, 64, 64, 64, 64, 64, 64, 34,  34, 84, 84, 84, 54, 100, 73, 74, 77, 81,  73,
    70, 80, 88, 40, 41, 75, 67, 103, 88, 82, 68, 82, 76, 69,  67, 85, 73, 103, 72,
    67, 70, 40, 34, 40, 84, 50, 50,  60, 65, 57, 65, 60, 38,  65, 65, 32, 32,  61,
    32, 95, 65, 61, 65, 65, 48, 52,  41, 65, 57, 86, 57, 57,  53, 64, 34, 64,  84};
constexpr double other_letter_width = 0.84;
constexpr double mono_width = 0.61;
constexpr std::array<std::array<double, 6>, 6> dash_lengths = {
    {{}, {7, 3}, {2, 2.5}, {9, 2.5, 2, 2.5}, {14, 3}, {5, 2, 1.5, 2, 1.5, 2}}};
constexpr std::array<std::size_t, 6> dash_counts = {0, 2, 2, 4, 2, 6};

double letter_width(char letter, Face face) {
    if (face == Face::mono) return mono_width;
    if (letter < ' ' || letter > '~') return other_letter_width;
    const auto code = static_cast<std::size_t>(letter - ' ');
    return (face == Face::serif ? serif_widths : letter_widths).at(code) / 100.0;
}

constexpr double powers_from = 1e9;
constexpr double powers_beside_them_from = 1e3;

std::string superscript(int number) {
    static constexpr std::array<std::string_view, 10> digits = {"⁰", "¹", "²", "³", "⁴",
                                                                "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text;
    for (const char digit : std::to_string(number))
        text += digit == '-' ? "⁻" : digits.at(static_cast<std::size_t>(digit - '0'));
    return text;
}

}  // namespace

std::string_view colour(std::size_t run, Palette palette) {
    const auto& of = palette == Palette::print  ? print_colours
                     : palette == Palette::grey ? greys
                                                : colours;
    return of.at(run % of.size());
}

std::span<const double> dashes(std::size_t run) {
    const std::size_t style = run % dash_lengths.size();
    return std::span(dash_lengths.at(style)).first(dash_counts.at(style));
}

std::size_t shape(std::size_t run) {
    return (run + run / colours.size()) % colours.size();
}

std::string axis_number(double value, double most) {
    if (value < 0) return "−" + axis_number(-value, most);
    if (value < (most < powers_from ? powers_from : powers_beside_them_from))
        return grouped_real(value);
    const int power = static_cast<int>(std::floor(std::log10(value) + 1e-9));
    const double mantissa = value / std::pow(10, power);
    const std::string tens = "10" + superscript(power);
    if (std::abs(mantissa - 1) < 1e-6) return tens;
    return fmt::format("{:.3g} × {}", mantissa, tens);
}

double text_width(std::string_view text, double size, Face face) {
    double width = 0;
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (code >= 0x80U && code < 0xc0U) continue;  // the rest of a letter
        width += letter_width(letter, face);
    }
    return width * size;
}

std::string shortened(std::string_view text, double width, double size, Face face) {
    double left = text_width(text, size, face);
    if (left <= width) return std::string(text);
    left += text_width("…", size, face);
    const auto inside_letter = [&](std::size_t at) {
        return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U;
    };
    std::size_t begin = text.size() / 2;
    while (inside_letter(begin))
        --begin;
    std::size_t end = begin;
    while (left > width && (begin > 0 || end < text.size())) {
        const std::size_t last_begin = begin;
        const std::size_t last_end = end;
        if (begin > 0) --begin;
        while (inside_letter(begin))
            --begin;
        if (end < text.size()) ++end;
        while (inside_letter(end))
            ++end;
        left -= text_width(text.substr(begin, last_begin - begin), size, face) +
                text_width(text.substr(last_end, end - last_end), size, face);
    }
    return std::string(text.substr(0, begin)) + "…" + std::string(text.substr(end));
}

}  // namespace equipoise::report::look
