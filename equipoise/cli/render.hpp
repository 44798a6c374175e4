#pragma once
// SVG pictures converted to PDF and PNG, by librsvg and cairo.

#include <string>
#include <string_view>

namespace equipoise::cli {

/// Whether the program was built with librsvg.
[[nodiscard]] bool has_rsvg();
/// Throws InputError, which names the format, if the program was built without librsvg. The
/// functions below do so too.
void expect_rsvg(std::string_view format);

/// The most pixels along a side of a PNG picture.
inline constexpr unsigned pixels_most = 20'000;

/// The picture as PDF of the same size: lines stay lines, and fonts are part of the file.
[[nodiscard]] std::string to_pdf(std::string_view svg);

/// How many pixels a PNG picture has; without either, three for each unit of the SVG, 288 an inch,
/// which is sharp in print.
struct PngSize {
    unsigned width = 0;  ///< in pixels; 0: as `resolution` says
    int resolution = 0;  ///< in pixels an inch; 0: as `width` says
};

/// The picture as PNG, which says its resolution. Throws InputError for one that would be more than
/// `pixels_most` wide or high.
[[nodiscard]] std::string to_png(std::string_view svg, PngSize size);

}  // namespace equipoise::cli
