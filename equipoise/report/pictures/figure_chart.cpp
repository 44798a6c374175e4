#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "equipoise/base/csv_fields.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/report/pictures/chart_axis.hpp"
#include "equipoise/report/pictures/figure.hpp"

namespace equipoise::report {

namespace {

constexpr double digits_of_units = 12;  ///< a logarithmic axis goes down by at most as many powers

/// What the marks of all panels reach.
struct Reach {
    double most = 0;
    double least_positive = 0;  ///< 0: there is none
    bool whole = true;

    void add(double value) {
        most = std::max(most, value);
        if (value > 0)
            least_positive = least_positive > 0 ? std::min(least_positive, value) : value;
        whole = whole && value == std::floor(value);
    }
    /// The least power of ten that an axis with 0 needs.
    [[nodiscard]] double unit() const {
        if (least_positive <= 0 || least_positive >= 1) return 1;
        const double least =
            std::max({least_positive, most * std::pow(10, -digits_of_units), least_unit});
        return power_of_ten(least);
    }
};

class FigureChart {
  public:
    FigureChart(const Figure& figure, const FigureOptions& options)
        : figure_(figure), options_(options) {
        for (const FigurePanel& panel : figure.panels)
            for (const FigureCurve& curve : panel.curves)
                for (const FigureMark& mark : curve.marks)
                    if (mark.centre) drawn_.insert(curve.number);
        visit([&](const FigureMark& mark) {
            x_.add(mark.at);
            for (const auto& value : {mark.centre, mark.low, mark.high})
                if (value) y_.add(*value);
            if (options.marks != Marks::boxes) return;
            y_.add(mark.sample->least);
            y_.add(mark.sample->largest);
        });
    }

    Chart make() {
        Chart chart{"", {}, notes(), true, figure_.y_title + " over " + figure_.x_title};
        for (const FigurePanel& panel : figure_.panels)
            chart.panels.push_back(panel_of(panel));
        return chart;
    }

  private:
    template <class Visit>
    void visit(const Visit& look_at) const {
        for (const FigurePanel& panel : figure_.panels)
            for (const FigureCurve& curve : panel.curves)
                for (const FigureMark& mark : curve.marks)
                    if (mark.centre) look_at(mark);
    }

    [[nodiscard]] std::vector<std::string> notes() const {
        std::vector<std::string> parts;
        if (figure_.cut_short > 0)
            parts.push_back(counted(std::uint64_t{figure_.cut_short}, "run") + " cut short");
        if (figure_.left_out > 0)
            parts.push_back(counted(std::uint64_t{figure_.left_out}, "run") + " left out");
        if (figure_.without_value > 0)
            parts.push_back(counted(std::uint64_t{figure_.without_value}, "run") +
                            " without a value");
        if (parts.empty()) return {};
        std::vector<std::string> undrawn;
        for (std::size_t number = 0; number < figure_.curves.size(); ++number)
            if (!drawn_.contains(number)) undrawn.push_back(figure_.curves[number]);
        std::string words = "Not drawn: ";
        for (std::size_t k = 0; k < parts.size(); ++k)
            words += (k == 0 ? "" : k + 1 == parts.size() ? " and " : ", ") + parts[k];
        words += '.';
        bool some_open = false;
        visit([&](const FigureMark& mark) { some_open = some_open || mark.cut_short > 0; });
        if (some_open) words += " Open markers lack runs that were cut short.";
        if (!undrawn.empty()) words += " There is no mark for " + listed(undrawn, " and ") + '.';
        return {words};
    }

    [[nodiscard]] Series series_of(const FigureCurve& curve) const {
        Series series;
        series.name = figure_.curves[curve.number];
        series.look = curve.number;
        series.joined = options_.marks == Marks::curves && figure_.categories.empty();
        if (!series.joined) series.beside = beside(curve);
        for (const FigureMark& mark : curve.marks) {
            if (!mark.centre) continue;
            if (mark.cut_short > 0) series.open_at.push_back(mark.at);
            if (options_.marks == Marks::boxes) {
                series.boxes.push_back({mark.at, mark.sample->least, *mark.low, *mark.centre,
                                        *mark.high, mark.sample->largest});
                continue;
            }
            series.points.push_back({mark.at, *mark.centre});
            if (!series.joined && mark.low) series.bars.push_back({mark.at, *mark.low, *mark.high});
        }
        return series;
    }

    /// One band for each stretch of neighbouring marks that have one; an error bar where that has
    /// no width.
    void add_bands(const FigureCurve& curve, std::vector<Band>& bands, Series& series) const {
        Band band{curve.number, {}, {}};
        const auto end = [&] {
            if (!band.lower.empty() && band.lower.front().x < band.lower.back().x)
                bands.push_back(band);
            else
                for (std::size_t k = 0; k < band.lower.size(); ++k)
                    series.bars.push_back({band.lower[k].x, band.lower[k].y, band.upper[k].y});
            band = {curve.number, {}, {}};
        };
        for (const FigureMark& mark : curve.marks) {
            if (!mark.centre) continue;
            if (!mark.low) {
                end();
                continue;
            }
            band.lower.push_back({mark.at, *mark.low});
            band.upper.push_back({mark.at, *mark.high});
        }
        end();
    }

    void add_promise(const FigureCurve& curve, std::vector<Series>& all) const {
        Series promise;
        promise.name = figure_.curves[curve.number];
        promise.look = curve.number;
        promise.promise = true;
        promise.joined = figure_.categories.empty();
        if (!promise.joined) promise.beside = beside(curve);
        for (const FigureMark& mark : curve.marks)
            if (mark.promised && mark.centre) promise.points.push_back({mark.at, *mark.promised});
        if (!promise.points.empty()) all.push_back(promise);
    }

    /// Among the curves that have marks.
    [[nodiscard]] Beside beside(const FigureCurve& curve) const {
        return {static_cast<std::size_t>(std::distance(drawn_.begin(), drawn_.find(curve.number))),
                drawn_.size()};
    }

    [[nodiscard]] ChartPanel panel_of(const FigurePanel& panel) const {
        ChartPanel made;
        made.title = panel.name;
        made.x = {figure_.x_title, options_.x_scale,  x_.unit(), x_.whole,
                  false,           figure_.categories};
        made.y = {figure_.y_title, options_.y_scale, y_.unit(), false, false};
        for (const FigureCurve& curve : panel.curves) {
            if (!drawn_.contains(curve.number)) continue;
            Series series = series_of(curve);
            if (series.joined) add_bands(curve, made.bands, series);
            made.series.push_back(series);
            add_promise(curve, made.series);
        }
        return made;
    }

    const Figure& figure_;
    const FigureOptions& options_;
    std::set<std::size_t> drawn_;  ///< numbers of the curves that have marks
    Reach x_;
    Reach y_;
};

std::string number_field(const std::optional<double>& number) {
    return number ? fmt::format("{}", *number) : "";
}

}  // namespace

Chart figure_chart(const Figure& figure, const FigureOptions& options) {
    return FigureChart(figure, options).make();
}

Chart figure_chart(const Study& study, const FigureOptions& options) {
    return figure_chart(figure_of(study, options), options);
}

std::string figure_csv(const Figure& figure, const FigureOptions& options) {
    const bool boxes = options.marks == Marks::boxes;
    bool promises = false;
    for (const FigurePanel& panel : figure.panels)
        for (const FigureCurve& curve : panel.curves)
            for (const FigureMark& mark : curve.marks)
                promises = promises || mark.promised;
    const std::string curve_title = !options.by.empty() ? options.by : "algorithm";
    const bool curves = figure.curves.size() > 1 || !figure.curves.front().empty();
    std::vector<std::string> header;
    if (!options.facet.empty()) header.push_back(options.facet);
    if (curves) header.push_back(curve_title);
    header.insert(header.end(), {options.x, "runs", "cut_short", "left_out"});
    header.push_back(options.y + (shows_median(options) ? "_median" : "_mean"));
    if (options.spread != Spread::none || boxes)
        header.insert(header.end(), {options.y + "_low", options.y + "_high"});
    if (boxes) header.insert(header.end(), {options.y + "_least", options.y + "_largest"});
    if (promises) header.push_back(options.y + "_promised");
    std::string out = csv_line(header);
    for (const FigurePanel& panel : figure.panels)
        for (const FigureCurve& curve : panel.curves)
            for (const FigureMark& mark : curve.marks) {
                std::vector<std::string> fields;
                if (!options.facet.empty()) fields.push_back(panel.text);
                if (curves) fields.push_back(figure.curves[curve.number]);
                fields.insert(fields.end(),
                              {mark.x, std::to_string(mark.runs), std::to_string(mark.cut_short),
                               std::to_string(mark.left_out), number_field(mark.centre)});
                if (options.spread != Spread::none || boxes)
                    fields.insert(fields.end(), {number_field(mark.low), number_field(mark.high)});
                if (boxes)
                    for (const double statistics::Sample::*member :
                         {&statistics::Sample::least, &statistics::Sample::largest})
                        fields.push_back(mark.sample ? number_field((*mark.sample).*member) : "");
                if (promises) fields.push_back(number_field(mark.promised));
                out += csv_line(fields);
            }
    return out;
}

std::string figure_csv(const Study& study, const FigureOptions& options) {
    return figure_csv(figure_of(study, options), options);
}

}  // namespace equipoise::report
