#pragma once
// One panel of a chart: its ranges, its axes with their names, its limits.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/report/pictures/chart.hpp"
#include "equipoise/report/pictures/chart_axis.hpp"
#include "equipoise/report/pictures/chart_style.hpp"

namespace equipoise::report {

/// The values that an axis must show.
struct AxisRange {
    std::optional<std::pair<double, double>> ends;

    /// Throws InputError for a value that has no place.
    void add(double value, Scale scale);
    void join(const AxisRange& other);
    /// Throws InputError if a linear axis of this range has no finite length.
    void expect_length(Scale scale) const;
    /// Whether it may grow to include a limit, which is not too far away.
    [[nodiscard]] bool reaches(double value, Scale scale) const;
    [[nodiscard]] double least() const { return ends ? ends->first : 0; }
    [[nodiscard]] double most() const { return ends ? ends->second : 0; }
};

struct Frame {
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;
};

/// Lengths are those of its style. Horizontal lengths are known once it is placed across, others
/// once it is placed upright.
class PanelDrawing {
  public:
    /// Adds the meaning of limits that have no place to `notes`. Throws InputError.
    PanelDrawing(const ChartPanel& panel, const ChartStyle& style, std::vector<std::string>& notes);

    [[nodiscard]] const ChartPanel& panel() const { return panel_; }
    [[nodiscard]] const std::vector<Limit>& across() const { return across_; }
    [[nodiscard]] const std::vector<Limit>& upright() const { return upright_; }
    AxisRange x_range;
    AxisRange y_range;

    /// Throws InputError if the values of a linear axis are too far apart for one.
    void expect_lengths() const;

    /// The largest value of what is promised for this series.
    [[nodiscard]] double most_promised(const std::string& name) const;
    /// Makes room for it, or removes it.
    void settle_promise(const std::string& name, bool shown);

    /// Of the names of ticks, to the left of the frame.
    [[nodiscard]] double names_width() const;
    /// Of the labels of limits, to the right of the frame.
    [[nodiscard]] double labels_width() const;

    /// `room_left`: how far names of categories may reach to the left of the frame.
    void place_across(double left, double right, double room_left);
    /// How far the last name of the axis reaches to the right of the frame.
    [[nodiscard]] double overhang() const;
    /// Of names below the frame.
    [[nodiscard]] double names_height() const;
    /// Of the title and of the labels of upright limits, above the frame.
    [[nodiscard]] double head_height() const;

    void place_upright(double top, double bottom);
    [[nodiscard]] const Frame& frame() const { return frame_; }
    [[nodiscard]] std::string drawn(bool with_x_names, bool with_y_names) const;
    /// Where something is drawn.
    [[nodiscard]] std::vector<svg::Point> places() const;

  private:
    /// How the names of categories are written.
    struct CategoryNames {
        bool turned = false;
        std::vector<std::vector<std::string>> lines;
        double height = 0;
    };

    void measure();
    void add_limits(std::vector<std::string>& notes);
    void write_categories(double room_left);
    [[nodiscard]] std::vector<Tick> x_ticks() const;
    [[nodiscard]] double y_tick_room() const;
    [[nodiscard]] PlacedAxis y_axis(double top, double bottom) const;
    [[nodiscard]] double label_width(const Limit& limit) const;
    [[nodiscard]] double label_begin(const Limit& limit) const;
    /// The row of each upright limit's label above the frame.
    [[nodiscard]] std::vector<int> label_rows() const;
    [[nodiscard]] std::string labelled(svg::Point at, const Limit& limit) const;
    [[nodiscard]] std::string_view colour_of(const Limit& limit) const;
    [[nodiscard]] std::string dashes_of(const Limit& limit) const;
    [[nodiscard]] std::string title() const;
    [[nodiscard]] std::string y_axis_drawn(bool with_names) const;
    [[nodiscard]] std::string x_axis_drawn(bool with_names) const;
    [[nodiscard]] std::string category_names() const;
    [[nodiscard]] std::string upright_limits() const;
    [[nodiscard]] std::string across_limits() const;

    ChartPanel panel_;
    const ChartStyle* style_;
    std::vector<Limit> across_;
    std::vector<Limit> upright_;
    std::vector<std::string> title_;
    CategoryNames categories_;
    Frame frame_;
    std::optional<PlacedAxis> x_;
    std::optional<PlacedAxis> y_;
};

}  // namespace equipoise::report
