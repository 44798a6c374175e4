#include "equipoise/report/pictures/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/report/pictures/chart_keys.hpp"
#include "equipoise/report/pictures/chart_panel.hpp"
#include "equipoise/report/pictures/chart_style.hpp"
#include "equipoise/report/pictures/look.hpp"
#include "equipoise/report/pictures/markup.hpp"

namespace equipoise::report {

namespace {

using svg::Point;

// Lengths for text of look::text_size.
constexpr double height_alone = 400;
constexpr double height_of_several = 240;
constexpr double above_panel = 16;
constexpr double below_names = 5;
constexpr double between_columns = 14;
constexpr double between_names_of_columns = 12;
constexpr double beside_keys = 14;
constexpr double inside_corner = 6;  ///< between a frame and the keys in its corner

constexpr double proportion = 0.62;       ///< of a panel whose picture has a width alone
constexpr double least_height = 15;       ///< of it, in heights of text
constexpr double least_panel_width = 11;  ///< of panels side by side, in heights of text
constexpr double least_frame_width = 5;
constexpr double least_frame_height = 3;
constexpr std::size_t y_title_lines_most = 2;
constexpr double key_column_most = 0.45;  ///< of the width of the picture

class ChartDrawing {
  public:
    ChartDrawing(const Chart& chart, const ChartLook& look)
        : chart_(&chart), look_(&look), style_(look), notes_(chart.notes) {
        for (const ChartPanel& panel : chart.panels)
            panels_.emplace_back(panel, style_, notes_);
        settle_promises();
        if (chart.shared_axes) share_ranges();
        for (const PanelDrawing& panel : panels_)
            panel.expect_lengths();
        keys_.emplace(panels_, style_);
    }

    [[nodiscard]] std::string drawn();

  private:
    void settle_promises();
    void share_ranges();
    [[nodiscard]] double scaled(double length) const { return style_.scaled(length); }
    [[nodiscard]] bool keys_inside() const {
        return style_.keys() >= KeyPlace::inside && style_.keys() <= KeyPlace::bottom_right;
    }
    [[nodiscard]] std::string head();
    void place() {
        place_across();
        place_upright();
    }
    void place_across();
    void place_columns(double left, double names, double right);
    void place_upright();
    [[nodiscard]] double below(std::size_t row) const;
    [[nodiscard]] double notes_height() const;
    [[nodiscard]] std::vector<std::string> x_title_lines(const PanelDrawing& panel) const;
    [[nodiscard]] std::string x_title(const PanelDrawing& panel, double left, double right,
                                      double top) const;
    [[nodiscard]] std::size_t y_title_lines() const;
    [[nodiscard]] double title_room(double top, double bottom) const;
    [[nodiscard]] std::string y_title(const PanelDrawing& panel, double top, double bottom) const;
    [[nodiscard]] std::string titles() const;
    [[nodiscard]] std::string notes();
    [[nodiscard]] std::string corner_keys() const;
    [[nodiscard]] Point corner(const Frame& frame, Point size) const;
    [[nodiscard]] std::size_t rows() const { return (panels_.size() + columns_ - 1) / columns_; }
    [[nodiscard]] bool has_none_below(std::size_t panel) const {
        return panel + columns_ >= panels_.size();
    }
    void expect_room(bool enough) const;

    const Chart* chart_;
    const ChartLook* look_;
    ChartStyle style_;
    std::vector<std::string> notes_;
    std::vector<PanelDrawing> panels_;
    std::optional<ChartKeys> keys_;
    std::size_t columns_ = 1;
    std::size_t y_lines_ = 1;  ///< of the titles of y axes
    double head_ = 0;          ///< title and keys above the panels end here
    double y_ = 0;             ///< the picture is drawn down to here
    double right_ = 0;         ///< panels and their labels end here; keys may stand beyond
};

/// Promises far beyond the values are put into words, in all panels.
void ChartDrawing::settle_promises() {
    std::vector<std::string> names;
    AxisRange range;
    for (const PanelDrawing& panel : panels_) {
        range.join(panel.y_range);
        for (const Series& series : panel.panel().series)
            if (series.promise && std::find(names.begin(), names.end(), series.name) == names.end())
                names.push_back(series.name);
    }
    std::vector<std::string> beyond;
    for (const std::string& name : names) {
        bool shown = true;
        for (const PanelDrawing& panel : panels_)
            shown = shown && range.reaches(panel.most_promised(name), panel.panel().y.scale);
        for (PanelDrawing& panel : panels_)
            panel.settle_promise(name, shown);
        if (!shown) beyond.push_back(name.empty() ? "these runs" : name);
    }
    if (!beyond.empty())
        notes_.push_back("Beyond the axis: what theorems promise for " + listed(beyond, " and ") +
                         '.');
}

void ChartDrawing::share_ranges() {
    AxisRange x;
    AxisRange y;
    for (const PanelDrawing& panel : panels_) {
        x.join(panel.x_range);
        y.join(panel.y_range);
    }
    for (PanelDrawing& panel : panels_) {
        panel.x_range = x;
        panel.y_range = y;
    }
}

void ChartDrawing::expect_room(bool enough) const {
    if (enough) return;
    const std::string size =
        look_->size && look_->size->height > 0
            ? fmt::format("{:.6g} x {:.6g} mm", look_->size->width, look_->size->height)
        : look_->size ? fmt::format("{:.6g} mm", look_->size->width)
                      : "this size";
    throw InputError("a chart of " + size +
                     " has no room for its panels: expected a larger size, smaller text, shorter "
                     "names or no keys");
}

std::string ChartDrawing::head() {
    std::string out;
    const double margin = style_.margin();
    const double right = style_.width() - margin;
    y_ = look_->size ? 0 : 12;
    for (const std::string& words : style_.wrapped_title(chart_->title, right - margin)) {
        y_ += style_.line();
        out += style_.title_line({margin, y_}, words);
    }
    if (style_.keys() == KeyPlace::above && !keys_->empty()) {
        if (!look_->size || !chart_->title.empty()) y_ += scaled(8);
        out += keys_->in_lines(margin, right, y_);
    }
    return out;
}

void ChartDrawing::place_across() {
    const double margin = style_.margin();
    right_ = style_.width() - margin;
    if (style_.keys() == KeyPlace::right && !keys_->empty())
        right_ -= keys_->column_size(key_column_most * style_.width()).x + scaled(beside_keys);
    double names = 0;
    for (const PanelDrawing& panel : panels_)
        names = std::max(names, panel.names_width());
    const double left = margin + style_.line() * static_cast<double>(y_lines_) + scaled(8);
    if (chart_->shared_axes) {
        double labels = 0;
        for (const PanelDrawing& panel : panels_)
            labels = std::max(labels, panel.labels_width());
        const double room = right_ - left - names + scaled(between_columns);
        const double each =
            least_panel_width * style_.text_size() + labels + scaled(between_columns);
        const auto most = static_cast<std::size_t>(std::max(1.0, std::floor(room / each)));
        const std::size_t rows = (panels_.size() + most - 1) / most;
        columns_ = (panels_.size() + rows - 1) / std::max<std::size_t>(1, rows);
        columns_ = std::max<std::size_t>(1, columns_);
    }
    place_columns(left + names, left + names - margin, right_);
}

void ChartDrawing::place_columns(double left, double names, double right) {
    double labels = look_->size ? 0 : scaled(6);
    for (const PanelDrawing& panel : panels_)
        labels = std::max(labels, panel.labels_width());
    const auto place = [&](double end, double gap) {
        const auto columns = static_cast<double>(columns_);
        const double width = (end - left - (columns - 1) * gap) / columns - labels;
        expect_room(width >= least_frame_width * style_.text_size());
        for (std::size_t k = 0; k < panels_.size(); ++k) {
            const double begin = left + static_cast<double>(k % columns_) * (width + labels + gap);
            panels_[k].place_across(begin, begin + width, names);
        }
    };
    const double gap = scaled(between_columns);
    place(right, gap);
    double overhang = 0;
    for (const PanelDrawing& panel : panels_)
        overhang = std::max(overhang, panel.overhang() - labels);
    // The last name of a panel must not meet the first of the next one.
    if (overhang > 0)
        place(right - overhang, std::max(gap, overhang + scaled(between_names_of_columns)));
}

/// Below a row of frames: names, and titles where axes are not shared.
double ChartDrawing::below(std::size_t row) const {
    double height = 0;
    for (std::size_t k = row * columns_; k < std::min(panels_.size(), (row + 1) * columns_); ++k) {
        if (chart_->shared_axes && row + 1 < rows()) continue;
        double own = panels_[k].names_height() + scaled(below_names);
        if (!chart_->shared_axes)
            own +=
                style_.line() * static_cast<double>(x_title_lines(panels_[k]).size()) + scaled(4);
        height = std::max(height, own);
    }
    return height;
}

double ChartDrawing::notes_height() const {
    double lines = 0;
    for (const std::string& note : notes_)
        lines +=
            static_cast<double>(style_.wrapped(note, style_.width() - 2 * style_.margin()).size());
    return lines > 0 ? style_.line() * lines + scaled(4) : 0;
}

std::vector<std::string> ChartDrawing::x_title_lines(const PanelDrawing& panel) const {
    return style_.wrapped(panel.panel().x.title, right_ - style_.margin());
}

void ChartDrawing::place_upright() {
    double fixed = 0;
    std::vector<double> heads(rows(), 0);
    for (std::size_t k = 0; k < panels_.size(); ++k)
        heads[k / columns_] =
            std::max(heads[k / columns_], panels_[k].head_height() + scaled(above_panel));
    if (look_->size && y_ == 0 && !heads.empty() && heads[0] == scaled(above_panel))
        heads[0] = scaled(8);  // nothing stands above
    for (std::size_t row = 0; row < rows(); ++row)
        fixed += heads[row] + below(row);
    double end = look_->size ? style_.margin() : 6;
    if (chart_->shared_axes && !panels_.empty())
        end += style_.line() * static_cast<double>(x_title_lines(panels_[0]).size());
    end += notes_height();
    const Frame& first = panels_.front().frame();
    double height = scaled(panels_.size() == 1 ? height_alone : height_of_several);
    if (look_->size)
        height =
            std::max(proportion * (first.right - first.left), least_height * style_.text_size());
    if (style_.height() > 0)
        height = (style_.height() - y_ - fixed - end) / static_cast<double>(rows());
    expect_room(height >= least_frame_height * style_.text_size());
    for (std::size_t row = 0; row < rows(); ++row) {
        const double top = y_ + heads[row];
        for (std::size_t k = row * columns_; k < std::min(panels_.size(), (row + 1) * columns_);
             ++k)
            panels_[k].place_upright(top, top + height);
        y_ = top + height + below(row);
    }
}

std::string ChartDrawing::x_title(const PanelDrawing& panel, double left, double right,
                                  double top) const {
    std::string out;
    double y = top + scaled(13);
    for (const std::string& line : x_title_lines(panel)) {
        const double half = style_.width_of(line) / 2;
        const double middle = std::clamp((left + right) / 2, style_.margin() + half,
                                         std::max(style_.margin() + half, right_ - half));
        out += svg::text({middle, y}, "middle", line);
        y += style_.line();
    }
    return out;
}

/// Where titles of y axes are too long for their height, they take a second line.
std::size_t ChartDrawing::y_title_lines() const {
    std::size_t lines = 1;
    for (std::size_t k = 0; k < panels_.size(); ++k) {
        const Frame& frame = panels_[k].frame();
        const Frame& last = chart_->shared_axes ? panels_.back().frame() : frame;
        const std::string& title = panels_[k].panel().y.title;
        if (chart_->shared_axes && k > 0) continue;
        lines = std::max(lines, style_.wrapped(title, title_room(frame.top, last.bottom)).size());
    }
    return std::min(lines, y_title_lines_most);
}

/// It may reach beyond its axis on both sides.
double ChartDrawing::title_room(double top, double bottom) const {
    return bottom - top + 2 * scaled(chart_->shared_axes || panels_.size() == 1 ? 24 : 0);
}

std::string ChartDrawing::y_title(const PanelDrawing& panel, double top, double bottom) const {
    const double room = title_room(top, bottom);
    std::vector<std::string> lines = style_.wrapped(panel.panel().y.title, room);
    if (lines.size() > y_lines_) {
        lines.resize(y_lines_ - 1);
        std::string rest = panel.panel().y.title;
        for (const std::string& line : lines)
            rest.erase(0, line.size() + 1);
        lines.push_back(style_.shortened(rest, room));
    }
    std::string out;
    double x = style_.margin() + scaled(look_->size ? 12 : 10);
    for (const std::string& line : lines) {
        // It does not reach up to what stands above the panels.
        const double half = style_.width_of(line) / 2;
        const double middle = std::max((top + bottom) / 2, std::min(bottom, head_ + half));
        out += fmt::format(
            "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}"
            "</text>\n",
            x, middle, escape_markup(line));
        x += style_.line();
    }
    return out;
}

std::string ChartDrawing::titles() const {
    std::string out;
    if (chart_->shared_axes) {
        const Frame& first = panels_.front().frame();
        const Frame& last = panels_.at(columns_ - 1).frame();
        out += x_title(panels_.front(), first.left, last.right, y_);
        return out + y_title(panels_.front(), first.top, panels_.back().frame().bottom);
    }
    for (const PanelDrawing& panel : panels_) {
        const Frame& frame = panel.frame();
        out += x_title(panel, frame.left, frame.right,
                       frame.bottom + panel.names_height() + scaled(below_names) + scaled(5));
        out += y_title(panel, frame.top, frame.bottom);
    }
    return out;
}

std::string ChartDrawing::notes() {
    std::string out;
    if (chart_->shared_axes)
        y_ += style_.line() * static_cast<double>(x_title_lines(panels_[0]).size());
    if (notes_.empty()) return out;
    y_ += scaled(4);
    for (const std::string& note : notes_)
        for (const std::string& words :
             style_.wrapped(note, style_.width() - 2 * style_.margin())) {
            y_ += style_.line();
            out += svg::text({style_.margin(), y_ - scaled(5)}, "start", words,
                             fmt::format(R"(fill="{}")", look::soft));
        }
    return out;
}

/// The top left of keys of this size in the corner asked for, or in the emptiest.
Point ChartDrawing::corner(const Frame& frame, Point size) const {
    const double gap = scaled(inside_corner);
    const double left = frame.left + gap;
    const double right = frame.right - gap - size.x;
    const double top = frame.top + gap;
    const double bottom = frame.bottom - gap - size.y;
    const std::array<Point, 4> corners = {
        {{left, top}, {right, top}, {left, bottom}, {right, bottom}}};
    if (style_.keys() != KeyPlace::inside)
        return corners.at(static_cast<std::size_t>(style_.keys()) -
                          static_cast<std::size_t>(KeyPlace::top_left));
    const std::vector<Point> places = panels_.front().places();
    const auto covered = [&](const Point& at) {
        return std::count_if(places.begin(), places.end(), [&](const Point& place) {
            return place.x > at.x - gap && place.x < at.x + size.x + gap && place.y > at.y - gap &&
                   place.y < at.y + size.y + gap;
        });
    };
    return *std::min_element(corners.begin(), corners.end(), [&](const Point& a, const Point& b) {
        return covered(a) < covered(b);
    });
}

std::string ChartDrawing::corner_keys() const {
    const Frame& frame = panels_.front().frame();
    const double most = frame.right - frame.left - 2 * scaled(inside_corner);
    const Point size = keys_->column_size(most);
    const Point at = corner(frame, size);
    return svg::polygon(
               {at, {at.x + size.x, at.y}, {at.x + size.x, at.y + size.y}, {at.x, at.y + size.y}},
               look::paper, "fill-opacity=\"0.85\"") +
           keys_->in_column(at, size.x);
}

std::string ChartDrawing::drawn() {
    std::string body = head();
    if (!panels_.empty()) {
        head_ = y_ + scaled(4);
        const double keys_top = y_;
        place();
        if (const std::size_t lines = y_title_lines(); lines > 1) {
            y_lines_ = lines;
            y_ = keys_top;
            place();
        }
        for (std::size_t k = 0; k < panels_.size(); ++k)
            body += panels_[k].drawn(!chart_->shared_axes || has_none_below(k),
                                     !chart_->shared_axes || k % columns_ == 0);
        body += titles();
        if (style_.keys() == KeyPlace::right && !keys_->empty())
            body += keys_->in_column({right_ + scaled(beside_keys), keys_top + scaled(above_panel)},
                                     key_column_most * style_.width());
        if (keys_inside() && !keys_->empty()) body += corner_keys();
        body += notes();
    }
    return style_.picture(y_ + (look_->size ? style_.margin() : 6),
                          chart_->title.empty() ? chart_->description : chart_->title, body);
}

void make_printable(std::string& text) {
    text = one_line(text);
}

void make_printable(ChartAxis& axis) {
    make_printable(axis.title);
    for (std::string& name : axis.categories)
        make_printable(name);
}

/// The chart with texts that have the width they are measured with.
Chart printable_chart(Chart chart) {
    make_printable(chart.title);
    make_printable(chart.description);
    for (std::string& note : chart.notes)
        make_printable(note);
    for (ChartPanel& panel : chart.panels) {
        make_printable(panel.title);
        make_printable(panel.x);
        make_printable(panel.y);
        for (Series& series : panel.series)
            make_printable(series.name);
        for (Limit& limit : panel.limits) {
            make_printable(limit.label);
            make_printable(limit.meaning);
        }
    }
    return chart;
}

}  // namespace

std::string chart_svg(const Chart& chart, const ChartLook& look) {
    const Chart made = printable_chart(chart);
    return ChartDrawing(made, look).drawn();
}

}  // namespace equipoise::report
