#include "equipoise/report/pictures/chart_style.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <sstream>

#include <fmt/format.h>

namespace equipoise::report {

namespace {

constexpr double units_per_millimetre = 96 / 25.4;
constexpr double units_per_point = 96.0 / 72;
constexpr double points_of_papers = 8;
constexpr double margin_of_papers = 2;  // papers have margins of their own

look::Face face_of(std::string font) {
    std::transform(font.begin(), font.end(), font.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    const auto holds_one = [&](std::initializer_list<const char*> words) {
        return std::any_of(words.begin(), words.end(),
                           [&](const char* word) { return font.find(word) != std::string::npos; });
    };
    if (holds_one({"mono", "courier", "typewriter", "consol", "menlo"})) return look::Face::mono;
    if (holds_one({"sans"})) return look::Face::sans;
    if (holds_one({"serif", "roman", "times", "georgia", "palatino", "garamond", "libertin",
                   "termes", "pagella", "bookman", "schoolbook", "charter", "cambria", "cmr",
                   "stix"}))
        return look::Face::serif;
    return look::Face::sans;
}

std::string families(const std::string& font, look::Face face) {
    const std::string_view others = face == look::Face::serif  ? look::serif_font
                                    : face == look::Face::mono ? look::mono_font
                                                               : look::font;
    if (font.empty() || font == "sans" || font == "serif" || font == "mono")
        return std::string(others);
    return fmt::format("'{}', {}", font, others);
}

std::string millimetres(double length) {
    return fmt::format("{:.6g}mm", length / units_per_millimetre);
}

}  // namespace

ChartStyle::ChartStyle(const ChartLook& look)
    : look_(look), face_(look.font.empty() ? look::Face::sans : face_of(look.font)) {
    font_ = families(look.font, face_);
    if (look.size) {
        width_ = units_per_millimetre * look.size->width;
        height_ = units_per_millimetre * look.size->height;
        margin_ = margin_of_papers;
        text_size_ = units_per_point * points_of_papers;
    }
    if (look.font_points > 0) text_size_ = units_per_point * look.font_points;
    scale_ = text_size_ / look::text_size;
}

double ChartStyle::width_of(std::string_view text) const {
    return look::text_width(text, text_size_, face_);
}

std::string ChartStyle::shortened(std::string_view text, double width) const {
    return look::shortened(text, width, text_size_, face_);
}

std::vector<std::string> ChartStyle::wrapped(std::string_view text, double width) const {
    return svg::wrapped(text, width, text_size_, face_);
}

std::vector<std::string> ChartStyle::wrapped_title(std::string_view text, double width) const {
    return svg::wrapped(text, width, scaled(look::title_width_size), face_);
}

std::string ChartStyle::title_line(svg::Point at, std::string_view words) const {
    return svg::text(
        at, "start", words,
        fmt::format(R"(font-size="{:.4g}" font-weight="bold")", scaled(look::title_size)));
}

std::string_view ChartStyle::colour(std::size_t run) const {
    return look::colour(run, look_.palette);
}

std::string ChartStyle::marker(svg::Point at, std::size_t run, bool open, double size) const {
    return svg::marker(at, run, colour(run), open, scaled(size));
}

std::string ChartStyle::line_dashes(std::size_t run) const {
    std::string dashes;
    if (look_.line_styles)
        for (const double length : look::dashes(run))
            dashes += fmt::format("{}{:.4g}", dashes.empty() ? "" : " ", scaled(length));
    return dashes;
}

std::string ChartStyle::curve(const std::vector<svg::Point>& points, std::size_t run) const {
    return svg::polyline(points, colour(run), curve_width(), line_dashes(run));
}

std::string ChartStyle::dashes(std::string_view lengths) const {
    if (scale_ == 1) return std::string(lengths);
    std::istringstream words{std::string(lengths)};
    std::string dashes;
    for (double length = 0; words >> length;)
        dashes += fmt::format("{}{:.4g}", dashes.empty() ? "" : " ", scaled(length));
    return dashes;
}

std::string ChartStyle::picture(double bottom, std::string_view title,
                                std::string_view body) const {
    if (!look_.size)
        return svg::picture({width_, std::ceil(bottom), "", "", font_, text_size_}, title, body);
    const double height = height_ > 0 ? height_ : bottom;
    return svg::picture(
        {width_, height, millimetres(width_), millimetres(height), font_, text_size_}, title, body);
}

}  // namespace equipoise::report
