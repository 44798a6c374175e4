#pragma once
// How a chart is drawn: its size, its text, its colours and where its keys stand.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/report/pictures/look.hpp"

namespace equipoise::report {

/// Where the keys of a chart stand.
enum class KeyPlace : std::uint8_t {
    above,
    right,
    inside,  ///< in the emptiest corner of the first panel
    top_left,
    top_right,
    bottom_left,
    bottom_right,
    none,
};

/// In millimetres; a height of 0 is as much as the panels need.
struct ChartSize {
    double width = 0;
    double height = 0;
};

struct ChartLook {
    std::optional<ChartSize> size;  ///< nothing: `look::width` units, and a height that fits
    std::string font;               ///< a family, or serif, sans or mono; empty: `look::font`
    double font_points = 0;  ///< 0: 8 with a size in millimetres, otherwise `look::text_size`
    look::Palette palette = look::Palette::colour_blind;
    bool line_styles = false;  ///< each curve has dashes of its own
    KeyPlace keys = KeyPlace::above;
    bool promises = true;  ///< what theorems promise is drawn
};

/// The place of the value of an option among its words. Throws InputError for another word.
[[nodiscard]] std::size_t place_of_word(std::string_view word,
                                        const std::vector<std::string>& words, const char* option);

/// The words of the command line. The other way round, throws InputError for another word.
[[nodiscard]] const std::vector<std::string>& palette_words();
[[nodiscard]] look::Palette palette_from_word(std::string_view word);
[[nodiscard]] const std::vector<std::string>& line_style_words();
[[nodiscard]] bool line_styles_from_word(std::string_view word);
[[nodiscard]] const std::vector<std::string>& key_place_words();
[[nodiscard]] KeyPlace key_place_from_word(std::string_view word);
/// "85x60" or "85", in millimetres from 20 to 2000. Throws InputError.
[[nodiscard]] ChartSize size_from_text(std::string_view text);
/// The name of a font. Throws InputError for one that CSS cannot write.
[[nodiscard]] std::string font_from_text(std::string_view text);
/// Points from 4 to 72. Throws InputError.
[[nodiscard]] double font_points_from_text(std::string_view text);

}  // namespace equipoise::report
