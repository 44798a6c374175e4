#pragma once
// The lengths, fonts and colours that a chart's look comes to.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/report/pictures/chart_look.hpp"
#include "equipoise/report/pictures/look.hpp"
#include "equipoise/report/pictures/svg.hpp"

namespace equipoise::report {

/// A look in units of which 96 make an inch.
class ChartStyle {
  public:
    explicit ChartStyle(const ChartLook& look);

    [[nodiscard]] double width() const { return width_; }
    /// 0: as much as the panels need.
    [[nodiscard]] double height() const { return height_; }
    /// Around the whole picture.
    [[nodiscard]] double margin() const { return margin_; }
    [[nodiscard]] double text_size() const { return text_size_; }
    [[nodiscard]] bool promises() const { return look_.promises; }
    [[nodiscard]] KeyPlace keys() const { return look_.keys; }
    /// A length that is right for text of `look::text_size`, for this text.
    [[nodiscard]] double scaled(double length) const { return scale_ * length; }

    /// From one line of text to the next.
    [[nodiscard]] double line() const { return scaled(look::line_height); }
    [[nodiscard]] double width_of(std::string_view text) const;
    [[nodiscard]] std::string shortened(std::string_view text, double width) const;
    [[nodiscard]] std::vector<std::string> wrapped(std::string_view text, double width) const;
    /// Lines of bold text, which are a little larger.
    [[nodiscard]] std::vector<std::string> wrapped_title(std::string_view text, double width) const;
    [[nodiscard]] std::string title_line(svg::Point at, std::string_view words) const;

    [[nodiscard]] std::string_view colour(std::size_t run) const;
    [[nodiscard]] std::string marker(svg::Point at, std::size_t run, bool open,
                                     double size = 1) const;
    /// The dashes of a run's line: none unless lines differ in style.
    [[nodiscard]] std::string line_dashes(std::size_t run) const;
    /// A line in the colour and style of a run.
    [[nodiscard]] std::string curve(const std::vector<svg::Point>& points, std::size_t run) const;
    [[nodiscard]] double curve_width() const { return scaled(look::curve_width); }
    [[nodiscard]] double thin_width() const { return scaled(look::limit_width); }
    [[nodiscard]] std::string dashes(std::string_view lengths) const;

    /// The picture around what is drawn, down to `bottom` if the look leaves the height open.
    [[nodiscard]] std::string picture(double bottom, std::string_view title,
                                      std::string_view body) const;

  private:
    ChartLook look_;
    double width_ = look::width;
    double height_ = 0;
    double margin_ = look::margin;
    double text_size_ = look::text_size;
    double scale_ = 1;
    std::string font_;
    look::Face face_ = look::Face::sans;
};

}  // namespace equipoise::report
