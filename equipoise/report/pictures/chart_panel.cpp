#include "equipoise/report/pictures/chart_panel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/report/pictures/chart_marks.hpp"
#include "equipoise/report/pictures/look.hpp"
#include "equipoise/report/pictures/markup.hpp"

namespace equipoise::report {

namespace {

using svg::Point;

constexpr double height_of_names = 400;  ///< of an axis whose names are measured
constexpr double tick_room_upright = 36;
constexpr double tick_room_of_powers = 22;  ///< each needs a name
constexpr double between_names = 14;
constexpr double marker_room = 15;  ///< of one beside a label
constexpr double aside = 9;         ///< between a frame and what has no zero beside it
constexpr double minor_mark = 4;
constexpr double longest = 1e307;  ///< linear axis; room is left for steps and margins
constexpr std::size_t title_lines_most = 2;
constexpr std::size_t name_lines_most = 3;
constexpr double turned_by = 40;     ///< degrees, of names that have no room otherwise
constexpr double turned_part = 0.4;  ///< of the height of the picture that they may take
constexpr double turned_most = 17;   ///< their length, in heights of text

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

/// The lines of a name that may be broken behind blanks and punctuation, each as wide as `width` at
/// most; none if that takes more than `most` lines.
std::vector<std::string> broken(const std::string& name, const ChartStyle& style, double width,
                                std::size_t most) {
    std::vector<std::string> lines(1);
    std::string piece;
    const auto add = [&] {
        if (!lines.back().empty() && style.width_of(lines.back() + piece) > width)
            lines.emplace_back();
        lines.back() += piece;
        piece.clear();
    };
    for (const char letter : name) {
        piece += letter;
        if (std::string_view(" :,;/").find(letter) != std::string_view::npos) add();
    }
    add();
    const bool fit = std::all_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return style.width_of(line) <= width;
    });
    if (!fit || lines.size() > most) lines.clear();
    return lines;
}

}  // namespace

void AxisRange::add(double value, Scale scale) {
    if (!std::isfinite(value))
        throw InputError("chart: expected finite numbers, found " + std::to_string(value));
    if (value < 0 && scale == Scale::logarithmic)
        throw InputError(fmt::format(
            "chart: a logarithmic axis has no place for {:.6g}: expected a linear one", value));
    if (!ends) ends.emplace(value, value);
    ends->first = std::min(ends->first, value);
    ends->second = std::max(ends->second, value);
}

bool AxisRange::reaches(double value, Scale scale) const {
    const double far = scale == Scale::logarithmic ? 10 : 4.0 / 3;
    const double floor = scale == Scale::logarithmic ? 0 : std::min(0.0, least());
    return value >= floor && value <= far * std::max(most(), scale == Scale::linear ? 0 : 1.0);
}

void AxisRange::join(const AxisRange& other) {
    if (!other.ends) return;
    if (!ends) ends = other.ends;
    ends->first = std::min(ends->first, other.ends->first);
    ends->second = std::max(ends->second, other.ends->second);
}

void AxisRange::expect_length(Scale scale) const {
    const double length = most() - std::min(0.0, least());
    if (scale == Scale::linear && !(length <= longest))
        throw InputError(fmt::format(
            "chart: expected values of a linear axis whose range is at most {:.6g}, found {:.6g} "
            "to {:.6g}",
            longest, least(), most()));
}

PanelDrawing::PanelDrawing(const ChartPanel& panel, const ChartStyle& style,
                           std::vector<std::string>& notes)
    : panel_(panel), style_(&style) {
    if (!style.promises())
        std::erase_if(panel_.series, [](const Series& series) { return series.promise; });
    measure();
    add_limits(notes);
}

void PanelDrawing::measure() {
    const Scale x = panel_.x.scale;
    const Scale y = panel_.y.scale;
    // What may reach below the end of a logarithmic axis.
    const auto add_low = [&](double value) {
        if (y == Scale::linear || value >= 0) y_range.add(value, y);
    };
    for (const Series& series : panel_.series) {
        if (series.promise) continue;
        for (const Point& point : series.points) {
            x_range.add(point.x, x);
            y_range.add(point.y, y);
        }
        for (const ErrorBar& bar : series.bars) {
            add_low(bar.low);
            y_range.add(bar.high, y);
        }
        for (const ChartBox& box : series.boxes) {
            x_range.add(box.x, x);
            y_range.add(box.least, y);
            y_range.add(box.largest, y);
        }
    }
    for (const Band& band : panel_.bands) {
        for (const Point& point : band.lower) {
            x_range.add(point.x, x);
            add_low(point.y);
        }
        for (const Point& point : band.upper)
            y_range.add(point.y, y);
    }
}

void PanelDrawing::add_limits(std::vector<std::string>& notes) {
    const AxisRange x = x_range;
    const AxisRange y = y_range;
    for (const Limit& limit : panel_.limits) {
        if (limit.kind == LimitKind::promise && !style_->promises()) continue;
        const Scale scale = limit.upright ? panel_.x.scale : panel_.y.scale;
        if (!(limit.upright ? x : y).reaches(limit.value, scale)) {
            if (std::find(notes.begin(), notes.end(), limit.meaning) == notes.end())
                notes.push_back(limit.meaning);
            continue;
        }
        (limit.upright ? x_range : y_range).add(limit.value, scale);
        add_limit(limit.upright ? upright_ : across_, limit);
    }
}

void PanelDrawing::expect_lengths() const {
    if (panel_.x.categories.empty()) x_range.expect_length(panel_.x.scale);
    y_range.expect_length(panel_.y.scale);
}

double PanelDrawing::most_promised(const std::string& name) const {
    double most = 0;
    for (const Series& series : panel_.series)
        if (series.promise && series.name == name)
            for (const Point& point : series.points)
                most = std::max(most, point.y);
    return most;
}

void PanelDrawing::settle_promise(const std::string& name, bool shown) {
    for (const Series& series : panel_.series)
        if (series.promise && series.name == name && shown)
            for (const Point& point : series.points)
                y_range.add(point.y, panel_.y.scale);
    if (!shown)
        std::erase_if(panel_.series,
                      [&](const Series& series) { return series.promise && series.name == name; });
}

double PanelDrawing::label_width(const Limit& limit) const {
    return style_->width_of(limit.label) +
           style_->scaled(marker_room) * static_cast<double>(limit.looks.size());
}

PlacedAxis PanelDrawing::y_axis(double top, double bottom) const {
    const double above = y_range.most() < 0                     ? 0.95
                         : panel_.y.scale == Scale::logarithmic ? 1.25
                                                                : 1.05;
    const double most = std::min(above * y_range.most(), std::numeric_limits<double>::max());
    PlacedAxis axis(panel_.y, y_range.least(), most, bottom, top, style_->text_size());
    if (!axis.has_zero())
        axis = PlacedAxis(panel_.y, y_range.least(), most, bottom - style_->scaled(aside), top,
                          style_->text_size());
    return axis;
}

double PanelDrawing::y_tick_room() const {
    return style_->scaled(panel_.y.scale == Scale::linear ? tick_room_upright
                                                          : tick_room_of_powers);
}

double PanelDrawing::names_width() const {
    double widest = 0;
    const double height = style_->scaled(height_of_names);
    for (const Tick& tick : y_axis(0, height).ticks(y_tick_room()))
        widest = std::max(widest, style_->width_of(tick.name));
    return widest;
}

double PanelDrawing::labels_width() const {
    double widest = 0;
    for (const Limit& limit : across_)
        widest = std::max(widest, label_width(limit) + style_->scaled(18));
    return widest;
}

std::vector<Tick> PanelDrawing::x_ticks() const {
    return x_->ticks([&](std::string_view name) {
        return style_->width_of(name) + style_->scaled(between_names);
    });
}

void PanelDrawing::place_across(double left, double right, double room_left) {
    frame_.left = left;
    frame_.right = right;
    const ChartAxis& axis = panel_.x;
    const auto between = [&](double begin, double end) {
        return PlacedAxis(axis, x_range.least(), x_range.most(), begin, end, style_->text_size());
    };
    x_ = between(left, right);
    if (axis.categories.empty()) {
        const double reach = ChartMarks(panel_, *style_, *x_, y_axis(0, 1)).reach();
        const double beside = std::max(style_->scaled(aside), reach);
        x_ = between(x_->has_zero() ? left : left + beside, right - beside);
    }
    title_.clear();
    if (!panel_.title.empty()) {
        title_ = broken(panel_.title, *style_, right - left, title_lines_most);
        if (title_.empty()) title_ = {style_->shortened(panel_.title, right - left)};
    }
    if (!axis.categories.empty()) write_categories(room_left);
}

/// On one line or several; if that is not enough, turned, so that each ends below its place.
void PanelDrawing::write_categories(double room_left) {
    const std::vector<std::string>& names = panel_.x.categories;
    const double slot = (frame_.right - frame_.left) / static_cast<double>(names.size());
    const double width = slot - style_->scaled(6);
    std::size_t most = 1;
    categories_ = {};
    for (const std::string& name : names) {
        categories_.lines.push_back(broken(name, *style_, width, name_lines_most));
        most = std::max(most, categories_.lines.back().size());
        categories_.turned = categories_.turned || categories_.lines.back().empty();
    }
    categories_.height = style_->line() * static_cast<double>(most);
    if (!categories_.turned) return;
    const double angle = turned_by * std::numbers::pi / 180;
    double most_long = turned_most * style_->text_size();
    if (style_->height() > 0)
        most_long = std::min(most_long, turned_part * style_->height() / std::sin(angle));
    double widest = 0;
    double room = room_left + slot / 2;
    categories_.lines.clear();
    for (const std::string& name : names) {
        categories_.lines.push_back(
            {style_->shortened(name, std::min(most_long, room / std::cos(angle)))});
        widest = std::max(widest, style_->width_of(categories_.lines.back().front()));
        room += slot;
    }
    categories_.height =
        widest * std::sin(angle) + style_->text_size() * std::cos(angle) + style_->scaled(2);
}

double PanelDrawing::overhang() const {
    if (!panel_.x.categories.empty()) return 0;
    double furthest = frame_.right;
    for (const Tick& tick : x_ticks())
        furthest = std::max(furthest, x_->at(tick.value) + style_->width_of(tick.name) / 2);
    return furthest - frame_.right;
}

double PanelDrawing::names_height() const {
    return categories_.lines.empty() ? style_->line() : categories_.height;
}

double PanelDrawing::head_height() const {
    double height = 0;
    const double line = style_->line();
    const std::vector<int> rows = label_rows();
    if (!rows.empty()) height += line * (1 + *std::max_element(rows.begin(), rows.end()));
    if (!title_.empty()) height += line * static_cast<double>(title_.size()) - style_->scaled(6);
    return height;
}

double PanelDrawing::label_begin(const Limit& limit) const {
    const double width = label_width(limit);
    return std::clamp(x_->at(limit.value) - width / 2, style_->margin(),
                      std::max(style_->margin(), style_->width() - style_->margin() - width));
}

std::vector<int> PanelDrawing::label_rows() const {
    std::vector<int> rows;
    std::vector<std::pair<double, double>> taken;  // in the row of the same index in `rows`
    const double between = style_->scaled(12);
    for (const Limit& limit : upright_) {
        const double begin = label_begin(limit);
        const double end = begin + label_width(limit);
        int row = 0;
        for (bool free = false; !free; row += free ? 0 : 1) {
            free = true;
            for (std::size_t k = 0; k < rows.size(); ++k)
                free = free && (rows[k] != row || begin > taken[k].second + between ||
                                end + between < taken[k].first);
        }
        rows.push_back(row);
        taken.emplace_back(begin, end);
    }
    return rows;
}

/// Draws the markers of a limit's runs and then its label, from this point on.
std::string PanelDrawing::labelled(Point at, const Limit& limit) const {
    std::string out;
    for (const std::size_t run : limit.looks) {
        out += style_->marker({at.x + style_->scaled(5), at.y - style_->scaled(4.5)}, run, false,
                              0.85);
        at.x += style_->scaled(marker_room);
    }
    return out + svg::text(at, "start", limit.label);
}

std::string_view PanelDrawing::colour_of(const Limit& limit) const {
    return limit.looks.size() == 1 ? style_->colour(limit.looks.front()) : look::soft;
}

std::string PanelDrawing::dashes_of(const Limit& limit) const {
    return style_->dashes(limit.kind == LimitKind::promise ? look::promise_dashes
                                                           : look::best_dashes);
}

void PanelDrawing::place_upright(double top, double bottom) {
    frame_.top = top;
    frame_.bottom = bottom;
    y_ = y_axis(top, bottom);
}

std::string PanelDrawing::title() const {
    std::string out;
    double y = frame_.top - style_->scaled(6);
    const std::vector<int> rows = label_rows();
    if (!rows.empty()) y -= style_->line() * (1 + *std::max_element(rows.begin(), rows.end()));
    for (auto line = title_.rbegin(); line != title_.rend(); ++line) {
        out += svg::text({(frame_.left + frame_.right) / 2, y}, "middle", *line);
        y -= style_->line();
    }
    return out;
}

std::string PanelDrawing::y_axis_drawn(bool with_names) const {
    std::string out;
    const double mark = style_->scaled(minor_mark);
    for (const Tick& tick : y_->ticks(y_tick_room())) {
        const double y = y_->at(tick.value);
        if (tick.minor)
            out += svg::line({frame_.left, y}, {frame_.left + mark, y}, look::frame, 0.7);
        else
            out += svg::line({frame_.left, y}, {frame_.right, y}, look::grid, 1);
        if (with_names && !tick.name.empty())
            out += svg::text({frame_.left - style_->scaled(8), y + style_->scaled(4.5)}, "end",
                             tick.name);
    }
    return out;
}

std::string PanelDrawing::category_names() const {
    std::string out;
    const double drop = style_->scaled(19);
    for (std::size_t k = 0; k < categories_.lines.size(); ++k) {
        double y = frame_.bottom + drop;
        const double x = x_->at(static_cast<double>(k));
        for (const std::string& line : categories_.lines[k]) {
            if (categories_.turned)
                out += fmt::format(
                    "<text transform=\"translate({:.1f} {:.1f}) rotate(-{:.0f})\" "
                    "text-anchor=\"end\">{}</text>\n",
                    x + style_->scaled(5), frame_.bottom + style_->scaled(13), turned_by,
                    escape_markup(line));
            else
                out += svg::text({x, y}, "middle", line);
            y += style_->line();
        }
    }
    return out;
}

std::string PanelDrawing::x_axis_drawn(bool with_names) const {
    std::string out;
    const bool categories = !panel_.x.categories.empty();
    const double mark = style_->scaled(minor_mark);
    for (const Tick& tick : x_ticks()) {
        const double x = x_->at(tick.value);
        if (categories || tick.minor)
            out += svg::line({x, frame_.bottom}, {x, frame_.bottom - mark}, look::frame, 0.7);
        else
            out += svg::line({x, frame_.top}, {x, frame_.bottom}, look::grid, 1);
        if (with_names && !categories && !tick.name.empty())
            out += svg::text({x, frame_.bottom + style_->scaled(19)}, "middle", tick.name);
    }
    return with_names && categories ? out + category_names() : out;
}

std::string PanelDrawing::upright_limits() const {
    const std::vector<int> rows = label_rows();
    std::string out;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const Limit& limit = upright_[k];
        const double label_y = frame_.top - style_->scaled(7) - style_->line() * rows[k];
        out += svg::line({x_->at(limit.value), label_y + 3}, {x_->at(limit.value), frame_.bottom},
                         colour_of(limit), style_->thin_width(), dashes_of(limit));
        out += labelled({label_begin(limit), label_y}, limit);
    }
    return out;
}

std::string PanelDrawing::across_limits() const {
    const double line = style_->line();
    std::vector<std::pair<double, const Limit*>> labels;
    for (const Limit& limit : across_)
        labels.emplace_back(y_->at(limit.value), &limit);
    std::stable_sort(labels.begin(), labels.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    // Moves labels down until none covers another, then up again from the end of the frame.
    for (std::size_t k = 1; k < labels.size(); ++k)
        labels[k].first = std::max(labels[k].first, labels[k - 1].first + line);
    double lowest = frame_.bottom + 4;
    for (std::size_t k = labels.size(); k-- > 0; lowest = labels[k].first - line)
        labels[k].first = std::min(labels[k].first, lowest);
    std::string out;
    for (const auto& [label_y, limit] : labels) {
        const double y = y_->at(limit->value);
        out += svg::line({frame_.left, y}, {frame_.right, y}, colour_of(*limit),
                         style_->thin_width(), dashes_of(*limit));
        if (std::abs(label_y - y) > 2)
            out += svg::line({frame_.right, y}, {frame_.right + style_->scaled(8), label_y},
                             colour_of(*limit), 0.8);
        out += labelled({frame_.right + style_->scaled(10), label_y + style_->scaled(4.5)}, *limit);
    }
    return out;
}

std::string PanelDrawing::drawn(bool with_x_names, bool with_y_names) const {
    const ChartMarks marks(panel_, *style_, *x_, *y_);
    std::string out = title() + y_axis_drawn(with_y_names) + x_axis_drawn(with_x_names);
    out += svg::line({frame_.left, frame_.bottom}, {frame_.right, frame_.bottom}, look::frame, 1);
    out += svg::line({frame_.left, frame_.top}, {frame_.left, frame_.bottom}, look::frame, 1);
    return out + marks.bands() + upright_limits() + across_limits() + marks.series();
}

std::vector<Point> PanelDrawing::places() const {
    return ChartMarks(panel_, *style_, *x_, *y_).places();
}

}  // namespace equipoise::report
