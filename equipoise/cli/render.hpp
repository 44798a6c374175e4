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

/// The picture as PNG, `width` pixels wide; 0: three for each unit of the SVG, which is sharp in
/// print. Throws InputError for one that would be more than `pixels_most` wide or high.
[[nodiscard]] std::string to_png(std::string_view svg, unsigned width);

}  // namespace equipoise::cli
