#include "equipoise/report/pictures/chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/report/pictures/chart_axis.hpp"
#include "equipoise/report/pictures/look.hpp"
#include "equipoise/report/pictures/markup.hpp"

namespace equipoise::report {

namespace {

using svg::Point;

constexpr double line_height = 18;
constexpr double height_alone = 400;
constexpr double height_of_several = 240;
constexpr double tick_room_across = 62;  ///< at least
constexpr double tick_room_upright = 36;
constexpr double marker_spacing = 84;   ///< pixels between the markers of a curve
constexpr double marker_room = 15;      ///< of one beside a label
constexpr std::size_t marked_all = 12;  ///< short curves have a marker at each point
constexpr double key_line = 30;         ///< width of a line in a key

struct Range {
    double least = 0;
    double most = 0;

    void add(double value, Scale scale) {
        if (!std::isfinite(value))
            throw InputError("chart: expected finite numbers, found " + std::to_string(value));
        if (value < 0 && scale == Scale::logarithmic)
            throw InputError("chart: a logarithmic axis has no place for " + std::to_string(value));
        least = std::min(least, value);
        most = std::max(most, value);
    }
    /// Grows the range to include a limit, unless the limit is too far away.
    [[nodiscard]] bool reaches(double value, Scale scale) const {
        const double far = scale == Scale::logarithmic ? 10 : 4.0 / 3;
        return value >= least && value <= far * std::max(most, scale == Scale::linear ? 0 : 1.0);
    }
};

/// A panel with its ranges, its limits divided into those that are shown and those that are not,
/// and its place.
struct Placed {
    const ChartPanel* panel;
    Range x;
    Range y;
    std::vector<Limit> across;
    std::vector<Limit> upright;
    double top = 0;
    double bottom = 0;
};

/// Limits of one kind at one value become one, with the markers of all.
void add_limit(std::vector<Limit>& limits, const Limit& limit) {
    for (Limit& other : limits) {
        if (other.value != limit.value || other.kind != limit.kind || other.label != limit.label)
            continue;
        other.looks.insert(other.looks.end(), limit.looks.begin(), limit.looks.end());
        return;
    }
    limits.push_back(limit);
}

Placed measured(const ChartPanel& panel, std::vector<std::string>& notes) {
    Placed placed{&panel, {}, {}, {}, {}};
    const auto add = [&](const std::vector<Point>& points) {
        for (const Point& point : points) {
            placed.x.add(point.x, panel.x.scale);
            placed.y.add(point.y, panel.y.scale);
        }
    };
    for (const Series& series : panel.series)
        add(series.points);
    for (const Band& band : panel.bands) {
        add(band.lower);
        add(band.upper);
    }
    const Range x = placed.x;
    const Range y = placed.y;
    for (const Limit& limit : panel.limits) {
        const Scale scale = limit.upright ? panel.x.scale : panel.y.scale;
        if (!(limit.upright ? x : y).reaches(limit.value, scale)) {
            if (std::find(notes.begin(), notes.end(), limit.meaning) == notes.end())
                notes.push_back(limit.meaning);
            continue;
        }
        (limit.upright ? placed.x : placed.y).add(limit.value, scale);
        add_limit(limit.upright ? placed.upright : placed.across, limit);
    }
    return placed;
}

double label_width(const Limit& limit) {
    return look::text_width(limit.label, look::text_size) +
           marker_room * static_cast<double>(limit.looks.size());
}

/// Draws the markers of a limit's runs and then its label, from this point on.
std::string labelled(Point at, const Limit& limit) {
    std::string out;
    for (const std::size_t run : limit.looks) {
        out += svg::marker({at.x + 5, at.y - 4.5}, run, false, 0.85);
        at.x += marker_room;
    }
    return out + svg::text(at, "start", limit.label);
}

std::string_view colour_of(const Limit& limit) {
    return limit.looks.size() == 1 ? look::colour(limit.looks.front()) : look::soft;
}

std::string_view dashes_of(const Limit& limit) {
    return limit.kind == LimitKind::promise ? look::promise_dashes : look::best_dashes;
}

class ChartDrawing {
  public:
    explicit ChartDrawing(const Chart& chart) : chart_(&chart), notes_(chart.notes) {
        for (const ChartPanel& panel : chart.panels)
            panels_.push_back(measured(panel, notes_));
        left_ = look::margin + line_height + 8;
        double names = 0;
        double labels = look::margin;
        for (const Placed& placed : panels_) {
            const PlacedAxis tall(placed.panel->y, placed.y.least, placed.y.most, 0, height_alone);
            for (const Tick& tick : tall.ticks(tick_room_upright))
                names = std::max(names, look::text_width(tick.name, look::text_size));
            for (const Limit& limit : placed.across)
                labels = std::max(labels, label_width(limit) + 18);
        }
        left_ += names;
        right_ = look::width - labels - 6;
    }

    [[nodiscard]] std::string drawn() {
        std::string body = head();
        for (Placed& placed : panels_)
            body += panel(placed);
        return svg::picture(look::width, y_ + 6, chart_->title, body);
    }

  private:
    [[nodiscard]] std::string head();
    void add_key(std::string& out, double& x, const std::string& sample, const std::string& name);
    [[nodiscard]] std::string keys();
    [[nodiscard]] std::string panel(Placed& placed);
    [[nodiscard]] std::string axes(const Placed& placed, const PlacedAxis& x,
                                   const PlacedAxis& y) const;
    [[nodiscard]] std::string upright_limits(const Placed& placed, const PlacedAxis& x) const;
    [[nodiscard]] std::string across_limits(const Placed& placed, const PlacedAxis& y) const;
    /// The row of each upright limit's label above the frame.
    [[nodiscard]] std::vector<int> label_rows(const Placed& placed, const PlacedAxis& x) const;
    [[nodiscard]] double label_begin(const Limit& limit, const PlacedAxis& x) const;

    const Chart* chart_;
    std::vector<std::string> notes_;
    std::vector<Placed> panels_;
    double left_ = 0;
    double right_ = 0;
    double y_ = 0;  ///< the picture is drawn down to here
};

std::string ChartDrawing::head() {
    std::string out;
    y_ = 12;
    for (const std::string& words :
         svg::wrapped(chart_->title, look::width - 2 * look::margin, look::title_width_size)) {
        y_ += line_height;
        out += svg::text({look::margin, y_}, "start", words,
                         fmt::format(R"(font-size="{}" font-weight="bold")", look::title_size));
    }
    out += keys();
    for (const std::string& note : notes_)
        for (const std::string& words :
             svg::wrapped(note, look::width - 2 * look::margin, look::text_size)) {
            y_ += line_height;
            out += svg::text({look::margin, y_}, "start", words,
                             fmt::format(R"(fill="{}")", look::soft));
        }
    return out;
}

void ChartDrawing::add_key(std::string& out, double& x, const std::string& sample,
                           const std::string& whole_name) {
    const std::string name =
        look::shortened(whole_name, look::width - 2 * look::margin - key_line - 8, look::text_size);
    const double width = key_line + 8 + look::text_width(name, look::text_size) + 18;
    if (x > look::margin && x + width > look::width - look::margin) {
        x = look::margin;
        y_ += line_height + 2;
    }
    out += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">{}</g>\n", x, y_ - 4.5, sample);
    out += svg::text({x + key_line + 8, y_}, "start", name);
    x += width;
}

std::string ChartDrawing::keys() {
    std::string out;
    double x = look::margin;
    y_ += line_height + 8;
    std::set<std::pair<std::size_t, std::string>> named;
    bool promised = false;
    bool best = false;
    bool open = false;
    for (const Placed& placed : panels_) {
        for (const Series& series : placed.panel->series) {
            open = open || series.open_end;
            if (!named.insert({series.look, series.name}).second) continue;
            std::string sample = svg::marker({key_line / 2, 0}, series.look);
            if (series.joined)
                sample =
                    svg::line({0, 0}, {key_line, 0}, look::colour(series.look), look::curve_width) +
                    sample;
            add_key(out, x, sample, series.name);
        }
        for (const std::vector<Limit>* limits : {&placed.across, &placed.upright})
            for (const Limit& limit : *limits)
                (limit.kind == LimitKind::promise ? promised : best) = true;
    }
    const auto limit_key = [&](std::string_view dashes, const char* name) {
        add_key(out, x,
                svg::line({0, 0}, {key_line, 0}, look::soft, look::limit_width + 0.3, dashes),
                name);
    };
    if (promised) limit_key(look::promise_dashes, "promised by a theorem");
    if (best) limit_key(look::best_dashes, "best possible");
    if (open)
        add_key(out, x,
                svg::circle({key_line / 2, 0}, 4, look::paper, look::soft, look::limit_width),
                "open at the end: stopped before its goal");
    return out;
}

double ChartDrawing::label_begin(const Limit& limit, const PlacedAxis& x) const {
    const double width = label_width(limit);
    return std::clamp(x.at(limit.value) - width / 2, look::margin,
                      look::width - look::margin - width);
}

std::vector<int> ChartDrawing::label_rows(const Placed& placed, const PlacedAxis& x) const {
    std::vector<int> rows;
    std::vector<std::pair<double, double>> taken;  // in the row of the same index in `rows`
    for (const Limit& limit : placed.upright) {
        const double begin = label_begin(limit, x);
        const double end = begin + label_width(limit);
        int row = 0;
        for (bool free = false; !free; row += free ? 0 : 1) {
            free = true;
            for (std::size_t k = 0; k < rows.size(); ++k)
                free = free && (rows[k] != row || begin > taken[k].second + 12 ||
                                end + 12 < taken[k].first);
        }
        rows.push_back(row);
        taken.emplace_back(begin, end);
    }
    return rows;
}

std::string ChartDrawing::upright_limits(const Placed& placed, const PlacedAxis& x) const {
    const std::vector<int> rows = label_rows(placed, x);
    std::string out;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const Limit& limit = placed.upright[k];
        const double label_y = placed.top - 7 - line_height * rows[k];
        out += svg::line({x.at(limit.value), label_y + 3}, {x.at(limit.value), placed.bottom},
                         colour_of(limit), look::limit_width, dashes_of(limit));
        out += labelled({label_begin(limit, x), label_y}, limit);
    }
    return out;
}

std::string ChartDrawing::across_limits(const Placed& placed, const PlacedAxis& y) const {
    std::vector<std::pair<double, const Limit*>> labels;
    for (const Limit& limit : placed.across)
        labels.emplace_back(y.at(limit.value), &limit);
    std::stable_sort(labels.begin(), labels.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    // Moves labels down until none covers another, then up again from the end of the frame.
    for (std::size_t k = 1; k < labels.size(); ++k)
        labels[k].first = std::max(labels[k].first, labels[k - 1].first + line_height);
    double lowest = placed.bottom + 4;
    for (std::size_t k = labels.size(); k-- > 0; lowest = labels[k].first - line_height)
        labels[k].first = std::min(labels[k].first, lowest);
    std::string out;
    for (const auto& [label_y, limit] : labels) {
        const double line_y = y.at(limit->value);
        out += svg::line({left_, line_y}, {right_, line_y}, colour_of(*limit), look::limit_width,
                         dashes_of(*limit));
        if (std::abs(label_y - line_y) > 2)
            out += svg::line({right_, line_y}, {right_ + 8, label_y}, colour_of(*limit), 0.8);
        out += labelled({right_ + 10, label_y + 4.5}, *limit);
    }
    return out;
}

std::string ChartDrawing::axes(const Placed& placed, const PlacedAxis& x,
                               const PlacedAxis& y) const {
    std::string out;
    for (const Tick& tick : y.ticks(tick_room_upright)) {
        out += svg::line({left_, y.at(tick.value)}, {right_, y.at(tick.value)}, look::grid, 1);
        out += svg::text({left_ - 8, y.at(tick.value) + 4.5}, "end", tick.name);
    }
    const double widest =
        look::text_width(look::axis_number(x.most(), x.most()), look::text_size) + 14;
    for (const Tick& tick : x.ticks(std::max(tick_room_across, widest))) {
        out += svg::line({x.at(tick.value), placed.top}, {x.at(tick.value), placed.bottom},
                         look::grid, 1);
        out += svg::text({x.at(tick.value), placed.bottom + 19}, "middle", tick.name);
    }
    out += svg::line({left_, placed.bottom}, {right_, placed.bottom}, look::frame, 1);
    out += svg::line({left_, placed.top}, {left_, placed.bottom}, look::frame, 1);
    out += svg::text({(left_ + right_) / 2, placed.bottom + 41}, "middle", placed.panel->x.title);
    return out + fmt::format(
                     "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" "
                     "text-anchor=\"middle\">{}</text>\n",
                     look::margin + 10, (placed.top + placed.bottom) / 2,
                     escape_markup(placed.panel->y.title));
}

/// Points that the eye can tell apart.
std::vector<Point> placed_points(const std::vector<Point>& points, const PlacedAxis& x,
                                 const PlacedAxis& y) {
    std::vector<Point> placed;
    for (const Point& point : points) {
        const Point at{x.at(point.x), y.at(point.y)};
        const bool last = &point == &points.back();
        if (!placed.empty() && !last && std::abs(at.x - placed.back().x) < 0.5 &&
            std::abs(at.y - placed.back().y) < 0.5)
            continue;
        placed.push_back(at);
    }
    return placed;
}

/// Where a curve of many points has markers: evenly spread, and at different x for every look, so
/// that the markers of coinciding curves do not coincide.
std::vector<Point> marked_points(const std::vector<Point>& points, std::size_t look) {
    std::vector<Point> marked;
    double next = points.front().x + marker_spacing * (0.3 + 0.25 * static_cast<double>(look % 4));
    for (std::size_t k = 1; k < points.size(); ++k) {
        const Point& from = points[k - 1];
        const Point& to = points[k];
        for (; next <= to.x && next < points.back().x - 12; next += marker_spacing) {
            const double part = to.x > from.x ? (next - from.x) / (to.x - from.x) : 0;
            marked.push_back({next, from.y + part * (to.y - from.y)});
        }
    }
    return marked;
}

std::string curve(const Series& series, const PlacedAxis& x, const PlacedAxis& y) {
    const std::vector<Point> points = placed_points(series.points, x, y);
    if (points.empty()) return {};
    std::string out;
    if (series.joined) out += svg::polyline(points, look::colour(series.look), look::curve_width);
    const bool all = !series.joined || points.size() <= marked_all;
    for (const Point& point : all ? std::vector<Point>(points.begin(), points.end() - 1)
                                  : marked_points(points, series.look))
        out += svg::marker(point, series.look, false, 0.75);
    return out + svg::marker(points.back(), series.look, series.open_end);
}

std::string band(const Band& band, const PlacedAxis& x, const PlacedAxis& y) {
    std::vector<Point> edge = placed_points(band.lower, x, y);
    const std::vector<Point> upper = placed_points(band.upper, x, y);
    edge.insert(edge.end(), upper.rbegin(), upper.rend());
    return svg::polygon(edge, look::colour(band.look), "fill-opacity=\"0.18\"");
}

std::string ChartDrawing::panel(Placed& placed) {
    const ChartPanel& panel = *placed.panel;
    const auto further = [](const Range& range, Scale scale) {
        return range.most * (scale == Scale::logarithmic ? 1.25 : 1.05);
    };
    const PlacedAxis x(panel.x, placed.x.least, placed.x.most, left_, right_ - 8);
    y_ += 16;
    const std::vector<int> rows = label_rows(placed, x);
    if (!rows.empty()) y_ += line_height * (1 + *std::max_element(rows.begin(), rows.end()));
    placed.top = y_;
    placed.bottom = y_ + (panels_.size() == 1 ? height_alone : height_of_several);
    y_ = placed.bottom + 50;
    const PlacedAxis y(panel.y, placed.y.least, further(placed.y, panel.y.scale), placed.bottom,
                       placed.top);
    std::string out = axes(placed, x, y);
    for (const Band& one : panel.bands)
        out += band(one, x, y);
    out += upright_limits(placed, x);
    out += across_limits(placed, y);
    for (const Series& series : panel.series)
        out += curve(series, x, y);
    return out;
}

}  // namespace

std::string chart_svg(const Chart& chart) {
    return ChartDrawing(chart).drawn();
}

}  // namespace equipoise::report
