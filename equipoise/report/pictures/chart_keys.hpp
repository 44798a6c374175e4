#pragma once
// The keys of a chart: which mark is whose.

#include <string>
#include <vector>

#include "equipoise/report/pictures/chart_panel.hpp"
#include "equipoise/report/pictures/chart_style.hpp"

namespace equipoise::report {

class ChartKeys {
  public:
    ChartKeys(const std::vector<PanelDrawing>& panels, const ChartStyle& style);

    [[nodiscard]] bool empty() const { return keys_.empty(); }
    /// In lines between these, below `y`, which afterwards is below the last of them.
    [[nodiscard]] std::string in_lines(double left, double right, double& y) const;
    /// One below another: the room that they take, at most `width_most` wide, and the keys.
    [[nodiscard]] svg::Point column_size(double width_most) const;
    [[nodiscard]] std::string in_column(svg::Point top_left, double width_most) const;

  private:
    struct Key {
        std::string sample;  ///< around the point (0, 0) to its right
        std::string name;
    };

    void add_series(const ChartPanel& panel);
    void add_lines(const std::vector<PanelDrawing>& panels);
    [[nodiscard]] std::string sample_of(const Series& series, bool with_band) const;
    [[nodiscard]] std::string drawn(const Key& key, svg::Point at, double width) const;
    [[nodiscard]] double name_begin() const;

    const ChartStyle* style_;
    std::vector<Key> keys_;
};

}  // namespace equipoise::report
