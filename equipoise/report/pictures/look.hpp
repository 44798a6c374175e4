#pragma once
// How pictures look, in one place: colours, fonts, widths of lines, and numbers on axes. Pictures
// can be read without colour too: runs differ by their markers, promises are dashed and the best
// possible is dotted.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace equipoise::report::look {

/// Colours that people with any colour vision tell apart (Okabe, Ito 2008); the last is darker than
/// theirs, since yellow is hard to see on white. Python's pictures use the same colours.
inline constexpr std::array<std::string_view, 8> colours = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#b0a000"};
/// Colours that differ in lightness, too, so that prints without colour tell them apart.
inline constexpr std::array<std::string_view, 8> print_colours = {
    "#000000", "#2f8f6b", "#7a1f5c", "#74b4d8", "#a8321a", "#d9822b", "#0b2a6f", "#1c7396"};
/// Greys of about the same lightness.
inline constexpr std::array<std::string_view, 8> greys = {
    "#000000", "#7e7e7e", "#454545", "#ababab", "#5c5c5c", "#969696", "#313131", "#6b6b6b"};

inline constexpr std::string_view paper = "#ffffff";
inline constexpr std::string_view ink = "#222222";
inline constexpr std::string_view soft = "#5a5a5a";   ///< what is said beside the figures
inline constexpr std::string_view frame = "#444444";  ///< axes
inline constexpr std::string_view grid = "#e3e3e3";
inline constexpr std::string_view link = "#b8b8b8";    ///< of a network
inline constexpr std::string_view moving = "#d55e00";  ///< tokens that cross a link

inline constexpr std::string_view font = "Helvetica, Arial, 'DejaVu Sans', sans-serif";
inline constexpr std::string_view serif_font = "'Times New Roman', Times, 'DejaVu Serif', serif";
inline constexpr std::string_view mono_font = "'Courier New', 'DejaVu Sans Mono', monospace";
inline constexpr double title_size = 15;
/// Other text at this size is at least as wide as a title, whose letters are bold.
inline constexpr double title_width_size = 1.2 * title_size;
inline constexpr double text_size = 13;
inline constexpr double small_size = 11;
inline constexpr double line_height = 18;  ///< for text of `text_size`

inline constexpr double width = 900;  ///< of a picture, in units of which 96 make an inch
inline constexpr double margin = 20;
inline constexpr double curve_width = 1.8;
inline constexpr double limit_width = 1.3;
inline constexpr std::string_view promise_dashes = "6 4";
inline constexpr std::string_view short_promise_dashes = "3 2";  ///< of lines a few letters long
inline constexpr std::string_view best_dashes = "1.5 3.5";

enum class Palette : std::uint8_t { colour_blind, print, grey };

/// The colour of the run with this number.
[[nodiscard]] std::string_view colour(std::size_t run, Palette palette = Palette::colour_blind);
/// The shape of its marker, below the number of colours: runs of the same colour differ in shape,
/// so that the first 64 runs look different.
[[nodiscard]] std::size_t shape(std::size_t run);

/// The lengths of dashes and gaps of its line, if lines differ in style; none: a whole line.
[[nodiscard]] std::span<const double> dashes(std::size_t run);

/// A number on an axis that goes up to `most`, as on the page: all digits if the axis ends below a
/// billion, "100,000"; otherwise numbers from a thousand on as powers of ten, "10³", "2.5 × 10⁹".
[[nodiscard]] std::string axis_number(double value, double most = 0);

/// What the letters of a font are like.
enum class Face : std::uint8_t { sans, serif, mono };

/// An upper bound on the width of a text in the usual fonts of a face. UTF-8.
[[nodiscard]] double text_width(std::string_view text, double size, Face face = Face::sans);
/// The text, or as much of its beginning and end as fits into `width`, with "…" between them.
[[nodiscard]] std::string shortened(std::string_view text, double width, double size,
                                    Face face = Face::sans);

}  // namespace equipoise::report::look
