#pragma once
// How pictures look, in one place: colours, fonts, widths of lines, and numbers on axes. Pictures
// can be read without colour too: runs differ by their markers, promises are dashed and the best
// possible is dotted.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace equipoise::report::look {

/// Colours that people with any colour vision tell apart (Okabe, Ito 2008); the last is darker than
/// theirs, since yellow is hard to see on white. Python's pictures use the same colours.
inline constexpr std::array<std::string_view, 8> colours = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#b0a000"};

inline constexpr std::string_view paper = "#ffffff";
inline constexpr std::string_view ink = "#222222";
inline constexpr std::string_view soft = "#5a5a5a";   ///< what is said beside the figures
inline constexpr std::string_view frame = "#444444";  ///< axes
inline constexpr std::string_view grid = "#e3e3e3";
inline constexpr std::string_view link = "#b8b8b8";    ///< of a network
inline constexpr std::string_view moving = "#d55e00";  ///< tokens that cross a link

inline constexpr std::string_view font = "Helvetica, Arial, 'DejaVu Sans', sans-serif";
inline constexpr double title_size = 15;
/// Other text at this size is at least as wide as a title, whose letters are bold.
inline constexpr double title_width_size = 1.2 * title_size;
inline constexpr double text_size = 13;
inline constexpr double small_size = 11;

inline constexpr double width = 900;  ///< of a picture, in units of which 96 make an inch
inline constexpr double margin = 20;
inline constexpr double curve_width = 1.8;
inline constexpr double limit_width = 1.3;
inline constexpr std::string_view promise_dashes = "6 4";
inline constexpr std::string_view best_dashes = "1.5 3.5";

/// The colour of the run with this number.
[[nodiscard]] std::string_view colour(std::size_t run);
/// The shape of its marker, below the number of colours: runs of the same colour differ in shape,
/// so that the first 64 runs look different.
[[nodiscard]] std::size_t shape(std::size_t run);

/// A number on an axis that goes up to `most`, as on the page: all digits if the axis ends below a
/// billion, "100,000"; otherwise numbers from a thousand on as powers of ten, "10³", "2.5 × 10⁹".
[[nodiscard]] std::string axis_number(double value, double most = 0);

/// An upper bound on the width of a text in any of the fonts above. UTF-8.
[[nodiscard]] double text_width(std::string_view text, double size);
/// The text, or as much of its beginning and end as fits into `width`, with "…" between them.
[[nodiscard]] std::string shortened(std::string_view text, double width, double size);

}  // namespace equipoise::report::look
