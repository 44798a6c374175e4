#pragma once
// The elements of pictures.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/report/pictures/look.hpp"

namespace equipoise::report::svg {

struct Point {
    double x = 0;
    double y = 0;
};

/// The sheet that a picture is drawn on.
struct Sheet {
    double width = 0;  ///< in units of which 96 make an inch
    double height = 0;
    std::string width_text;  ///< with a unit of length: "85mm"; empty: in units
    std::string height_text;
    std::string font;  ///< families, as in CSS
    double text_size = 0;
};

/// A picture on this sheet, around `body`, with a title for people who cannot see it.
[[nodiscard]] std::string picture(const Sheet& sheet, std::string_view title,
                                  std::string_view body);
/// A picture of this size around `body`, with a title for people who cannot see it. It loads
/// nothing and needs no fonts of its own; text stays text.
[[nodiscard]] std::string picture(double width, double height, std::string_view title,
                                  std::string_view body);

/// `anchor` is start, middle or end; `more` are further attributes.
[[nodiscard]] std::string text(Point at, std::string_view anchor, std::string_view words,
                               std::string_view more = "");
/// Text with an edge in the colour of the paper, so that it can be read over lines.
[[nodiscard]] std::string text_upon_lines(Point at, std::string_view anchor, std::string_view words,
                                          std::string_view more = "");
[[nodiscard]] std::string line(Point from, Point to, std::string_view colour, double width,
                               std::string_view dashes = "");
[[nodiscard]] std::string polyline(const std::vector<Point>& points, std::string_view colour,
                                   double width, std::string_view dashes = "");
[[nodiscard]] std::string polygon(const std::vector<Point>& points, std::string_view fill,
                                  std::string_view more = "");
[[nodiscard]] std::string circle(Point at, double radius, std::string_view fill,
                                 std::string_view colour, double width,
                                 std::string_view dashes = "");
/// The marker of the run with this number, in its colour or the one given; open markers are filled
/// with the colour of the paper.
[[nodiscard]] std::string marker(Point at, std::size_t run, bool open = false, double scale = 1);
[[nodiscard]] std::string marker(Point at, std::size_t run, std::string_view colour, bool open,
                                 double scale);
/// A line with a head at its end.
[[nodiscard]] std::string arrow(Point from, Point to, std::string_view colour, double width,
                                std::string_view dashes = "");

/// The words, broken into lines that fit; a word that is too long for a line is shortened.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view words, double width, double size,
                                               look::Face face = look::Face::sans);

}  // namespace equipoise::report::svg
