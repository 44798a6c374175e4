#pragma once
// Charts: curves, bands, error bars, boxes and limits on axes, in one panel or several, as an SVG
// picture.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/report/pictures/chart_look.hpp"
#include "equipoise/report/pictures/svg.hpp"

namespace equipoise::report {

enum class Scale : std::uint8_t { linear, logarithmic };

/// A linear axis begins at 0, or at the least value if that is negative. A logarithmic axis begins
/// below its least value; if that is less than `unit`, it is linear from 0 to `unit`, a piece that
/// is just wide enough for two names, so that 0 has a place on it.
struct ChartAxis {
    std::string title;
    Scale scale = Scale::logarithmic;
    double unit = 1;
    bool whole = false;     ///< values are whole numbers, so ticks are whole too
    bool from_zero = true;  ///< if false, a linear axis leaves out 0 where that saves half of it
    /// Names of the values 0, 1, ...: the axis has a place for each, whatever its scale.
    std::vector<std::string> categories = {};
};

/// A mark's place among those of other series at the same x, which stand side by side in the order
/// of their looks.
struct Beside {
    std::size_t number = 0;
    std::size_t count = 1;
};

struct ErrorBar {
    double x = 0;
    double low = 0;  ///< below the end of the axis, it is drawn to its end
    double high = 0;
};

struct ChartBox {
    double x = 0;
    double least = 0;
    double low = 0;  ///< the box is from here
    double median = 0;
    double high = 0;  ///< to here
    double largest = 0;
};

/// A curve, points or boxes. `look` chooses colour and marker; series of one `look` and `name`
/// share a key.
struct Series {
    std::string name;
    std::size_t look = 0;
    std::vector<svg::Point> points;  ///< by ascending x
    bool joined = true;              ///< by lines; otherwise every point has a marker
    bool open_end = false;           ///< its last marker is open: stopped before its goal
    bool promise = false;            ///< what a theorem promises: dashed, without markers
    std::vector<ErrorBar> bars = {};
    std::vector<ChartBox> boxes = {};
    Beside beside = {};
    std::vector<double> open_at = {};  ///< x of points and boxes with an open marker
};

/// The area between two curves over the same x: quantiles, errors. Where the lower one is below the
/// end of the axis, the area goes to its end.
struct Band {
    std::size_t look = 0;
    std::vector<svg::Point> lower;
    std::vector<svg::Point> upper;
};

enum class LimitKind : std::uint8_t {
    promise,  ///< dashed: by a theorem
    best,     ///< dotted: no algorithm can do better
};

/// A straight line at one value. Axes grow to show it, up to ten times as far (linear ones up to a
/// third further); a limit beyond that is described in words below the panels.
struct Limit {
    LimitKind kind = LimitKind::promise;
    bool upright = false;  ///< at an x instead of a y
    double value = 0;
    std::string label;    ///< beside the line: "at most 5"
    std::string meaning;  ///< in words, if the line is not shown: "threshold-2: at most 5 steps"
    std::vector<std::size_t> looks;  ///< whose markers stand beside the label
};

struct ChartPanel {
    ChartAxis x;
    ChartAxis y;
    std::vector<Series> series;
    std::vector<Band> bands;
    std::vector<Limit> limits;
    std::string title = {};
};

struct Chart {
    std::string title;
    std::vector<ChartPanel> panels;
    std::vector<std::string> notes;  ///< lines below the panels
    /// Panels share their axes, whose titles are those of the first, and stand side by side where
    /// each is at least as wide as eleven times its text is high; otherwise each has axes of its
    /// own, and they stand one below another.
    bool shared_axes = false;
    std::string description = {};  ///< of a chart without a title, for people who cannot see it
};

/// Other names for series, panels and categories: "A=B,C" calls A by the name B, and puts the
/// series A and C before all others, in this order, in keys, colours and where marks stand beside
/// each other. Throws InputError, which names those that there are, for a name that is none.
void rename(Chart& chart, std::string_view names);

/// The chart, in which no text covers a curve (unless keys are to stand inside) or is cut. Throws
/// InputError for a value that is not finite, or negative on a logarithmic axis, and for a size
/// that leaves no room for the panels.
[[nodiscard]] std::string chart_svg(const Chart& chart, const ChartLook& look = {});

}  // namespace equipoise::report
