#include "equipoise/report/pictures/chart_marks.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "equipoise/report/pictures/look.hpp"

namespace equipoise::report {

namespace {

using svg::Point;

constexpr double marker_spacing = 84;   ///< between the markers of a curve
constexpr std::size_t marked_all = 12;  ///< short curves have a marker at each point
constexpr double small_marker = 0.75;
constexpr double lanes = 0.8;       ///< part of the gap between two x that marks fill
constexpr double box_lane = 26;     ///< at most
constexpr double point_lane = 8;    ///< at most
constexpr double cap = 6;           ///< width of the end of an error bar
constexpr double box_width = 0.78;  ///< of its lane

/// Where a curve of many points has markers: evenly spread, and at different x for every look, so
/// that the markers of coinciding curves do not coincide.
std::vector<Point> marked_points(const std::vector<Point>& points, std::size_t look,
                                 double spacing) {
    std::vector<Point> marked;
    double next = points.front().x + spacing * (0.3 + 0.25 * static_cast<double>(look % 4));
    for (std::size_t k = 1; k < points.size(); ++k) {
        const Point& from = points[k - 1];
        const Point& to = points[k];
        for (; next <= to.x && next < points.back().x - spacing / 7; next += spacing) {
            const double part = to.x > from.x ? (next - from.x) / (to.x - from.x) : 0;
            marked.push_back({next, from.y + part * (to.y - from.y)});
        }
    }
    return marked;
}

bool is_open_at(const Series& series, double x) {
    return std::find(series.open_at.begin(), series.open_at.end(), x) != series.open_at.end();
}

}  // namespace

ChartMarks::ChartMarks(const ChartPanel& panel, const ChartStyle& style, const PlacedAxis& x,
                       const PlacedAxis& y)
    : panel_(&panel), style_(&style), x_(&x), y_(&y) {
    std::vector<double> places;
    for (const Series& series : panel.series) {
        for (const Point& point : series.points)
            places.push_back(x.at(point.x));
        for (const ChartBox& box : series.boxes)
            places.push_back(x.at(box.x));
    }
    if (!panel.x.categories.empty())
        for (std::size_t k = 0; k < panel.x.categories.size(); ++k)
            places.push_back(x.at(static_cast<double>(k)));
    std::sort(places.begin(), places.end());
    gap_ = style.width();
    for (std::size_t k = 1; k < places.size(); ++k)
        if (places[k] > places[k - 1] + 0.01) gap_ = std::min(gap_, places[k] - places[k - 1]);
}

double ChartMarks::lane(const Series& series) const {
    const double most =
        style_->scaled(series.boxes.empty() && !series.promise ? point_lane : box_lane);
    return std::min(most, lanes * gap_ / static_cast<double>(series.beside.count));
}

double ChartMarks::reach() const {
    double furthest = 0;
    for (const Series& series : panel_->series)
        if (!series.promise)
            furthest = std::max(furthest, std::abs(moved(series)) + lane(series) / 2);
    return furthest;
}

double ChartMarks::moved(const Series& series) const {
    const auto number = static_cast<double>(series.beside.number);
    const auto count = static_cast<double>(series.beside.count);
    return (number - (count - 1) / 2) * lane(series);
}

/// Points that the eye can tell apart.
std::vector<Point> ChartMarks::placed(const std::vector<Point>& points, double moved) const {
    std::vector<Point> placed;
    for (const Point& point : points) {
        const Point at{x_->at(point.x) + moved, y_->at(point.y)};
        const bool last = &point == &points.back();
        if (!placed.empty() && !last && std::abs(at.x - placed.back().x) < 0.5 &&
            std::abs(at.y - placed.back().y) < 0.5)
            continue;
        placed.push_back(at);
    }
    return placed;
}

std::string ChartMarks::band(const Band& band) const {
    std::vector<Point> edge = placed(band.lower);
    const std::vector<Point> upper = placed(band.upper);
    edge.insert(edge.end(), upper.rbegin(), upper.rend());
    return svg::polygon(edge, style_->colour(band.look), "fill-opacity=\"0.18\"");
}

std::string ChartMarks::curve(const Series& series) const {
    const std::vector<Point> points = placed(series.points, moved(series));
    if (points.empty()) return {};
    if (series.promise) {
        const std::string dashes =
            style_->dashes(series.joined ? look::promise_dashes : look::short_promise_dashes);
        if (series.joined)
            return svg::polyline(points, style_->colour(series.look), style_->thin_width(), dashes);
        std::string lines;
        for (const Point& at : points) {
            const double half = lane(series) / 2;
            lines += svg::line({at.x - half, at.y}, {at.x + half, at.y},
                               style_->colour(series.look), style_->thin_width(), dashes);
        }
        return lines;
    }
    std::string out;
    if (series.joined) out += style_->curve(points, series.look);
    const bool all = !series.joined || points.size() <= marked_all;
    for (const Point& point :
         all ? std::vector<Point>(points.begin(), points.end() - 1)
             : marked_points(points, series.look, style_->scaled(marker_spacing)))
        out += style_->marker(point, series.look, false, small_marker);
    const bool ends = series.joined && !all;  // the end of a long curve is a larger marker
    out += style_->marker(points.back(), series.look, series.open_end,
                          ends || series.open_end ? 1 : small_marker);
    for (const Point& point : series.points)
        if (is_open_at(series, point.x))
            out += style_->marker({x_->at(point.x) + moved(series), y_->at(point.y)}, series.look,
                                  true, small_marker);
    return out;
}

std::string ChartMarks::bars(const Series& series) const {
    std::string out;
    const double half = std::min(style_->scaled(cap), 0.7 * lane(series)) / 2;
    const std::string_view colour = style_->colour(series.look);
    const double width = style_->thin_width();
    for (const ErrorBar& bar : series.bars) {
        const double x = x_->at(bar.x) + moved(series);
        const double low = y_->at(bar.low);
        const double high = y_->at(bar.high);
        out += svg::line({x, low}, {x, high}, colour, width);
        for (const double end : {low, high})
            out += svg::line({x - half, end}, {x + half, end}, colour, width);
    }
    return out;
}

std::string ChartMarks::boxes(const Series& series) const {
    std::string out;
    const double half = box_width * lane(series) / 2;
    const std::string_view colour = style_->colour(series.look);
    const double width = style_->thin_width();
    for (const ChartBox& box : series.boxes) {
        const double x = x_->at(box.x) + moved(series);
        const double low = y_->at(box.low);
        const double high = y_->at(box.high);
        for (const auto& [from, to] :
             {std::pair{low, y_->at(box.least)}, std::pair{high, y_->at(box.largest)}}) {
            out += svg::line({x, from}, {x, to}, colour, width);
            out += svg::line({x - half / 2, to}, {x + half / 2, to}, colour, width);
        }
        out += svg::polygon(
            {{x - half, low}, {x + half, low}, {x + half, high}, {x - half, high}}, colour,
            fmt::format(R"(fill-opacity="0.25" stroke="{}" stroke-width="{:.4g}")", colour, width));
        const double median = y_->at(box.median);
        out += svg::line({x - half, median}, {x + half, median}, colour, 1.6 * width);
        // Boxes that are flat, or stand close together, are told apart by their markers.
        out +=
            style_->marker({x, median}, series.look, is_open_at(series, box.x), 0.6 * small_marker);
    }
    return out;
}

std::string ChartMarks::bands() const {
    std::string out;
    for (const Band& one : panel_->bands)
        out += band(one);
    return out;
}

std::string ChartMarks::series() const {
    std::string out;
    for (const bool promise : {true, false})
        for (const Series& one : panel_->series)
            if (one.promise == promise) out += bars(one) + boxes(one) + curve(one);
    return out;
}

std::vector<Point> ChartMarks::places() const {
    std::vector<Point> all;
    const auto add = [&](double x, double y) { all.push_back({x, y}); };
    for (const Series& series : panel_->series) {
        const std::vector<Point> points = placed(series.points, moved(series));
        for (std::size_t k = 0; k < points.size(); ++k) {
            add(points[k].x, points[k].y);
            // Lines between far points cover what is between them.
            constexpr int pieces = 16;
            for (int piece = 1; k > 0 && series.joined && piece < pieces; ++piece) {
                const double part = static_cast<double>(piece) / pieces;
                add(points[k - 1].x + part * (points[k].x - points[k - 1].x),
                    points[k - 1].y + part * (points[k].y - points[k - 1].y));
            }
        }
        for (const ErrorBar& bar : series.bars)
            for (const double y : {bar.low, bar.high})
                add(x_->at(bar.x) + moved(series), y_->at(y));
        for (const ChartBox& box : series.boxes)
            for (const double y : {box.least, box.low, box.median, box.high, box.largest})
                add(x_->at(box.x) + moved(series), y_->at(y));
    }
    for (const Band& one : panel_->bands)
        for (const std::vector<Point>* edge : {&one.lower, &one.upper})
            for (const Point& point : placed(*edge))
                all.push_back(point);
    return all;
}

}  // namespace equipoise::report
