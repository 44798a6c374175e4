#pragma once
// Charts: curves, bands and limits on axes, one panel below another, as an SVG picture.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "equipoise/report/pictures/svg.hpp"

namespace equipoise::report {

enum class Scale : std::uint8_t { linear, logarithmic };

/// An axis that begins at 0, or at the least value if that is negative and the axis is linear. A
/// logarithmic axis is linear from 0 to `unit`, which takes half as much room as a decade, so that
/// 0 has a place on it.
struct ChartAxis {
    std::string title;
    Scale scale = Scale::logarithmic;
    double unit = 1;
    bool whole = false;  ///< values are whole numbers, so ticks are whole too
};

/// A curve. `look` chooses colour and marker; series of one `look` and `name` share a key.
struct Series {
    std::string name;
    std::size_t look = 0;
    std::vector<svg::Point> points;  ///< by ascending x
    bool joined = true;              ///< by lines; otherwise every point has a marker
    bool open_end = false;           ///< its last marker is open: stopped before its goal
};

/// The area between two curves over the same x: quantiles, errors.
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
/// third further); a limit beyond that is described in words below the keys.
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
};

struct Chart {
    std::string title;
    std::vector<ChartPanel> panels;
    std::vector<std::string> notes;  ///< lines below the keys
};

/// The chart, `look::width` wide; its keys stand above the panels, labels of limits outside the
/// frames, so that no text covers a curve or is cut. Throws InputError for a value that is not
/// finite, or negative on a logarithmic axis.
[[nodiscard]] std::string chart_svg(const Chart& chart);

}  // namespace equipoise::report
