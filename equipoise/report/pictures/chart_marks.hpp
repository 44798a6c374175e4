#pragma once
// Curves, bands, error bars and boxes on placed axes.

#include <string>
#include <vector>

#include "equipoise/report/pictures/chart.hpp"
#include "equipoise/report/pictures/chart_axis.hpp"
#include "equipoise/report/pictures/chart_style.hpp"

namespace equipoise::report {

/// Where the marks of a panel lie, in pixels.
class ChartMarks {
  public:
    ChartMarks(const ChartPanel& panel, const ChartStyle& style, const PlacedAxis& x,
               const PlacedAxis& y);

    /// The SVG of all marks; bands first, promises next.
    [[nodiscard]] std::string bands() const;
    [[nodiscard]] std::string series() const;
    /// How far marks that stand side by side reach to either side of their x.
    [[nodiscard]] double reach() const;
    /// Points that are not to be covered.
    [[nodiscard]] std::vector<svg::Point> places() const;

  private:
    [[nodiscard]] std::vector<svg::Point> placed(const std::vector<svg::Point>& points,
                                                 double moved = 0) const;
    /// The width that one of the series at an x has for its marks.
    [[nodiscard]] double lane(const Series& series) const;
    [[nodiscard]] double moved(const Series& series) const;
    [[nodiscard]] std::string band(const Band& band) const;
    [[nodiscard]] std::string curve(const Series& series) const;
    [[nodiscard]] std::string bars(const Series& series) const;
    [[nodiscard]] std::string boxes(const Series& series) const;

    const ChartPanel* panel_;
    const ChartStyle* style_;
    const PlacedAxis* x_;
    const PlacedAxis* y_;
    double gap_ = 0;  ///< between neighbouring x
};

}  // namespace equipoise::report
