#include "equipoise/report/pictures/chart_keys.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "equipoise/report/pictures/look.hpp"

namespace equipoise::report {

namespace {

using svg::Point;

constexpr double sample_width = 30;
constexpr double between_lines = 2;
constexpr double between_keys = 18;

}  // namespace

ChartKeys::ChartKeys(const std::vector<PanelDrawing>& panels, const ChartStyle& style)
    : style_(&style) {
    if (style.keys() == KeyPlace::none) return;
    std::set<std::pair<std::size_t, std::string>> named;
    for (const PanelDrawing& panel : panels)
        for (const Series& series : panel.panel().series) {
            const bool drawn = !series.points.empty() || !series.boxes.empty();
            if (series.promise || series.name.empty() || !drawn) continue;
            if (!named.insert({series.look, series.name}).second) continue;
            const auto& bands = panel.panel().bands;
            const bool with_band = std::any_of(bands.begin(), bands.end(), [&](const Band& band) {
                return band.look == series.look && series.joined;
            });
            keys_.push_back({sample_of(series, with_band), series.name});
        }
    add_lines(panels);
}

std::string ChartKeys::sample_of(const Series& series, bool with_band) const {
    const double width = style_->scaled(sample_width);
    const double half = style_->scaled(5);
    const std::string_view colour = style_->colour(series.look);
    const auto rectangle = [&](double left, double right) {
        return std::vector<Point>{{left, -half}, {right, -half}, {right, half}, {left, half}};
    };
    std::string sample;
    if (!series.boxes.empty()) {
        sample =
            svg::polygon(rectangle(width / 4, 3 * width / 4), colour,
                         fmt::format(R"(fill-opacity="0.25" stroke="{}" stroke-width="{:.4g}")",
                                     colour, style_->thin_width()));
        return sample + style_->marker({width / 2, 0}, series.look, false, 0.45);
    }
    if (with_band) sample += svg::polygon(rectangle(0, width), colour, R"(opacity="0.18")");
    if (series.joined)
        sample += svg::line({0, 0}, {width, 0}, colour, style_->curve_width(),
                            style_->line_dashes(series.look));
    if (!series.bars.empty())
        sample += svg::line({width / 2, -1.4 * half}, {width / 2, 1.4 * half}, colour,
                            style_->thin_width());
    return sample + style_->marker({width / 2, 0}, series.look, false, series.joined ? 1 : 0.75);
}

/// The keys of lines that belong to no series, and of open ends.
void ChartKeys::add_lines(const std::vector<PanelDrawing>& panels) {
    bool promised = false;
    bool best = false;
    bool open = false;
    for (const PanelDrawing& panel : panels) {
        for (const Series& series : panel.panel().series) {
            open = open || series.open_end;
            promised = promised || series.promise;
        }
        for (const std::vector<Limit>* limits : {&panel.across(), &panel.upright()})
            for (const Limit& limit : *limits)
                (limit.kind == LimitKind::promise ? promised : best) = true;
    }
    const double width = style_->scaled(sample_width);
    const auto add_line = [&](std::string_view dashes, const char* name) {
        keys_.push_back(
            {svg::line({0, 0}, {width, 0}, look::soft, style_->scaled(1.6), style_->dashes(dashes)),
             name});
    };
    if (promised) add_line(look::promise_dashes, "promised by a theorem");
    if (best) add_line(look::best_dashes, "best possible");
    if (open)
        keys_.push_back({svg::circle({width / 2, 0}, style_->scaled(4), look::paper, look::soft,
                                     style_->thin_width()),
                         "open at the end: stopped before its goal"});
}

double ChartKeys::name_begin() const {
    return style_->scaled(sample_width + 8);
}

std::string ChartKeys::drawn(const Key& key, Point at, double width) const {
    return fmt::format("<g transform=\"translate({:.1f} {:.1f})\">{}</g>\n", at.x,
                       at.y - style_->scaled(4.5), key.sample) +
           svg::text({at.x + name_begin(), at.y}, "start",
                     style_->shortened(key.name, width - name_begin() + 0.01));
}

std::string ChartKeys::in_lines(double left, double right, double& y) const {
    if (keys_.empty()) return {};
    std::string out;
    double x = left;
    y += style_->line();
    for (const Key& key : keys_) {
        const double width = std::min(right - left, name_begin() + style_->width_of(key.name));
        if (x > left && x + width > right) {
            x = left;
            y += (style_->line() + style_->scaled(between_lines));
        }
        out += drawn(key, {x, y}, right - left);
        x += width + style_->scaled(between_keys);
    }
    return out;
}

Point ChartKeys::column_size(double width_most) const {
    double widest = 0;
    for (const Key& key : keys_)
        widest = std::max(widest, style_->width_of(key.name));
    return {std::min(width_most, name_begin() + widest),
            style_->line() * static_cast<double>(keys_.size())};
}

std::string ChartKeys::in_column(Point top_left, double width_most) const {
    std::string out;
    double y = top_left.y;
    for (const Key& key : keys_) {
        y += style_->line();
        out += drawn(key, {top_left.x, y - style_->scaled(4.5)}, width_most);
    }
    return out;
}

}  // namespace equipoise::report
