#include "equipoise/report/pictures/svg.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "equipoise/report/pictures/look.hpp"
#include "equipoise/report/pictures/markup.hpp"

namespace equipoise::report::svg {

namespace {

std::string dashed(std::string_view dashes) {
    return dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes);
}

std::string points_text(const std::vector<Point>& points) {
    std::string text;
    for (const Point& point : points)
        text += fmt::format("{}{:.1f},{:.1f}", text.empty() ? "" : " ", point.x, point.y);
    return text;
}

/// Corners of a regular polygon or, with two radii in turn, of a star.
std::vector<Point> corners(Point at, int count, double first_angle, double radius,
                           double inner_radius) {
    std::vector<Point> points;
    for (int k = 0; k < count; ++k) {
        const double angle = (first_angle + 360.0 * k / count) * std::numbers::pi / 180;
        const double far = k % 2 == 0 ? radius : inner_radius;
        points.push_back({at.x + far * std::cos(angle), at.y + far * std::sin(angle)});
    }
    return points;
}

}  // namespace

std::string picture(const Sheet& sheet, std::string_view title, std::string_view body) {
    const auto text_or = [](const std::string& text, double number) {
        return text.empty() ? fmt::format("{:.6g}", number) : text;
    };
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.6g} {1:.6g}\" "
        "width=\"{2}\" height=\"{3}\" font-family=\"{4}\" font-size=\"{5:.4g}\" fill=\"{6}\" "
        "role=\"img\">\n<title>{7}</title>\n<rect width=\"{0:.6g}\" height=\"{1:.6g}\" "
        "fill=\"{8}\"/>\n{9}</svg>\n",
        sheet.width, sheet.height, text_or(sheet.width_text, sheet.width),
        text_or(sheet.height_text, sheet.height), escape_markup(sheet.font), sheet.text_size,
        look::ink, escape_markup(title), look::paper, body);
}

std::string picture(double width, double height, std::string_view title, std::string_view body) {
    return picture(Sheet{std::ceil(width), std::ceil(height), "", "", std::string(look::font),
                         look::text_size},
                   title, body);
}

std::string text(Point at, std::string_view anchor, std::string_view words, std::string_view more) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}{}>{}</text>\n", at.x,
                       at.y, anchor, more.empty() ? "" : " ", more, escape_markup(words));
}

std::string text_upon_lines(Point at, std::string_view anchor, std::string_view words,
                            std::string_view more) {
    return text(at, anchor, words,
                fmt::format("paint-order=\"stroke\" stroke=\"{}\" stroke-width=\"3.5\" "
                            "stroke-linejoin=\"round\"{}{}",
                            look::paper, more.empty() ? "" : " ", more));
}

std::string line(Point from, Point to, std::string_view colour, double width,
                 std::string_view dashes) {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
        "stroke-width=\"{:.4g}\"{}/>\n",
        from.x, from.y, to.x, to.y, colour, width, dashed(dashes));
}

std::string polyline(const std::vector<Point>& points, std::string_view colour, double width,
                     std::string_view dashes) {
    return fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:.4g}\" "
        "stroke-linejoin=\"round\"{}/>\n",
        points_text(points), colour, width, dashed(dashes));
}

std::string polygon(const std::vector<Point>& points, std::string_view fill,
                    std::string_view more) {
    return fmt::format("<polygon points=\"{}\" fill=\"{}\"{}{}/>\n", points_text(points), fill,
                       more.empty() ? "" : " ", more);
}

std::string circle(Point at, double radius, std::string_view fill, std::string_view colour,
                   double width, std::string_view dashes) {
    return fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" stroke=\"{}\" "
        "stroke-width=\"{:.4g}\"{}/>\n",
        at.x, at.y, radius, fill, colour, width, dashed(dashes));
}

std::string marker(Point at, std::size_t run, bool open, double scale) {
    return marker(at, run, look::colour(run), open, scale);
}

std::string marker(Point at, std::size_t run, std::string_view colour, bool open, double scale) {
    const std::string_view fill = open ? look::paper : colour;
    const double width = 1.5 * std::min(1.0, scale / 0.75);
    const double size = 4 * scale;
    const std::string edge =
        fmt::format(R"(stroke="{}" stroke-width="{:.4g}" stroke-linejoin="round")", colour, width);
    switch (look::shape(run)) {
        case 0:
            return circle(at, size, fill, colour, width);
        case 1:
            return polygon(corners(at, 4, 45, 1.35 * size, 1.35 * size), fill, edge);
        case 2:
            return polygon(corners(at, 3, -90, 1.4 * size, 1.4 * size), fill, edge);
        case 3:
            return polygon(corners(at, 4, 0, 1.45 * size, 1.45 * size), fill, edge);
        case 4:
            return polygon(corners(at, 3, 90, 1.4 * size, 1.4 * size), fill, edge);
        case 5:
            return polygon(corners(at, 10, -90, 1.6 * size, 0.7 * size), fill, edge);
        case 6:
            return polygon(corners(at, 8, 0, 1.6 * size, 0.55 * size), fill, edge);
        default:
            return polygon(corners(at, 6, 0, 1.2 * size, 1.2 * size), fill, edge);
    }
}

std::string arrow(Point from, Point to, std::string_view colour, double width,
                  std::string_view dashes) {
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (length <= 0) return {};
    const Point along{(to.x - from.x) / length, (to.y - from.y) / length};
    const double head = std::min(4 * width, 0.6 * length);
    const Point neck{to.x - head * along.x, to.y - head * along.y};
    const double half = 0.45 * head;
    return line(from, neck, colour, width, dashes) +
           polygon({to,
                    {neck.x - half * along.y, neck.y + half * along.x},
                    {neck.x + half * along.y, neck.y - half * along.x}},
                   colour);
}

std::vector<std::string> wrapped(std::string_view words, double width, double size,
                                 look::Face face) {
    std::vector<std::string> lines;
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        const std::string word = look::shortened(words.substr(0, end), width, size, face);
        words.remove_prefix(std::min(words.size(), end + 1));
        if (!lines.empty() && look::text_width(lines.back() + ' ' + word, size, face) <= width)
            lines.back() += ' ' + word;
        else
            lines.push_back(word);
    }
    return lines;
}

}  // namespace equipoise::report::svg
