#include "equipoise/report/pictures/figure.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/report/studies/columns.hpp"
#include "equipoise/report/studies/summary_words.hpp"

namespace equipoise::report {

namespace {

std::string spaced(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

void expect_two_quantiles(const FigureOptions& options) {
    const std::vector<double>& fractions = options.summary.fractions;
    if (options.marks != Marks::boxes && options.spread != Spread::quantiles) return;
    if (fractions.size() != 2)
        throw InputError("quantiles: expected two quantiles, the ends of boxes and bands, found " +
                         std::to_string(fractions.size()));
    if (fractions[0] >= fractions[1])
        throw InputError(
            fmt::format("quantiles: expected two quantiles, the lower one first, found {} and {}",
                        fractions[0], fractions[1]));
}

/// "mean and 95 % interval".
std::string statistic_words(const FigureOptions& options) {
    const std::vector<double>& fractions = options.summary.fractions;
    const bool quartiles = fractions.front() == 0.25 && fractions.back() == 0.75;
    const std::string quantiles =
        quartiles ? "quartiles"
                  : percent(fractions.front()) + " and " + percent(fractions.back()) + " quantiles";
    if (options.marks == Marks::boxes) return "median, " + quantiles + ", extremes";
    switch (options.spread) {
        case Spread::mean:
            return "mean, " + percent(options.summary.interval.level) + " interval";
        case Spread::quantiles:
            return "median, " + quantiles;
        case Spread::extremes:
            return "median, extremes";
        default:
            return "mean";
    }
}

/// The place of a text in a list, which it is added to if it is new.
std::size_t place_in(std::vector<std::string>& list, const std::string& text) {
    const auto found = std::find(list.begin(), list.end(), text);
    if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
    list.push_back(text);
    return list.size() - 1;
}

class FigureMaker {
  public:
    FigureMaker(const Study& study, const FigureOptions& options)
        : study_(study), options_(options), x_(study.column(options.x)) {
        if (!study.is_numeric(study.column(options.y)))
            throw InputError(study.origin + ": expected numbers in column \"" + options.y +
                             "\", which is drawn upwards, found none or texts");
        take_curve_columns();
        if (!options.facet.empty()) facet_ = study.column(options.facet);
        for (const std::string& column : {"guaranteed_" + options.y, "guarantee_" + options.y})
            if (!promise_ && study.has(column) && study.is_numeric(study.column(column)))
                promise_ = study.column(column);
        made_.x_title = spaced(options.x);
        made_.y_title = spaced(options.y) + " (" + statistic_words(options) + ')';
        has_categories_ = !study.is_numeric(x_) || all_words(x_);
    }

    Figure make() {
        SummaryOptions summary = options_.summary;
        summary.by = {options_.x};
        for (const std::size_t column : curve_)
            summary.by.push_back(study_.columns[column]);
        if (facet_) summary.by.push_back(options_.facet);
        summary.of = {options_.y};
        summary.against.clear();
        const Summary found = summarise(study_, summary);
        for (const Cell& cell : found.cells)
            add(cell);
        if (!some_)
            throw InputError(study_.origin +
                             ": no run is left to draw: expected some that were "
                             "not cut short or left out, with values in \"" +
                             options_.x + "\" and \"" + options_.y + '"');
        for (FigurePanel& panel : made_.panels)
            for (FigureCurve& curve : panel.curves)
                std::stable_sort(
                    curve.marks.begin(), curve.marks.end(),
                    [](const FigureMark& a, const FigureMark& b) { return a.at < b.at; });
        note_averages(found);
        return std::move(made_);
    }

  private:
    /// The algorithm, with its parameters where it has several.
    void take_curve_columns() {
        if (!options_.by.empty()) {
            curve_ = {study_.column(options_.by)};
            return;
        }
        if (!study_.has("algorithm") || options_.x == "algorithm" || options_.facet == "algorithm")
            return;
        curve_ = {study_.column("algorithm")};
        if (!study_.has("parameters") || options_.x == "parameters" ||
            options_.facet == "parameters")
            return;
        std::map<std::string, std::string> parameters;
        for (const auto& row : study_.rows) {
            const auto [at, first] =
                parameters.emplace(row[curve_.front()], row[study_.column("parameters")]);
            if (first || at->second == row[study_.column("parameters")]) continue;
            curve_.push_back(study_.column("parameters"));
            return;
        }
    }

    /// Whether all its numbers are the words true and false.
    [[nodiscard]] bool all_words(std::size_t column) const {
        return std::all_of(study_.rows.begin(), study_.rows.end(), [&](const auto& row) {
            return row[column].empty() || row[column] == "true" || row[column] == "false";
        });
    }

    /// "k = 4" for numbers, a text as it is.
    [[nodiscard]] std::string name_of(std::size_t column, const std::string& text) const {
        return study_.is_numeric(column) ? spaced(study_.columns[column]) + " = " + text : text;
    }

    void add(const Cell& cell) {
        made_.cut_short += cell.cut_short;
        made_.left_out += cell.left_out;
        const std::string& x = cell.names.front();
        const auto& sample = cell.quantities.front().sample;
        const std::size_t drawn = sample && !x.empty() ? sample->n : 0;
        made_.without_value += cell.rows.size() - drawn;
        if (x.empty()) return;
        some_ = some_ || drawn > 0;
        FigureMark mark;
        mark.x = x;
        mark.at =
            has_categories_ ? static_cast<double>(place_in(made_.categories, x)) : *study_number(x);
        mark.runs = drawn;
        mark.cut_short = cell.cut_short;
        mark.left_out = cell.left_out;
        mark.sample = sample;
        if (sample) take_statistics(mark);
        take_promise(mark, cell);
        curve_of(cell).marks.push_back(mark);
    }

    void take_statistics(FigureMark& mark) const {
        const statistics::Sample& sample = *mark.sample;
        mark.centre = shows_median(options_) ? sample.median : sample.mean;
        if (options_.marks == Marks::boxes || options_.spread == Spread::quantiles) {
            mark.low = sample.quantiles.front();
            mark.high = sample.quantiles.back();
        } else if (options_.spread == Spread::extremes) {
            mark.low = sample.least;
            mark.high = sample.largest;
        } else if (options_.spread == Spread::mean && sample.interval) {
            mark.low = sample.interval->low;
            mark.high = sample.interval->high;
        }
    }

    void take_promise(FigureMark& mark, const Cell& cell) const {
        if (!promise_) return;
        for (const std::size_t row : cell.rows)
            if (const auto promised = study_.number(row, *promise_))
                mark.promised = std::max(mark.promised.value_or(*promised), *promised);
    }

    FigureCurve& curve_of(const Cell& cell) {
        std::string name;
        for (std::size_t k = 0; k < curve_.size(); ++k)
            if (const std::string& text = cell.names[1 + k]; !text.empty())
                name += (name.empty() ? "" : " ") + name_of(curve_[k], text);
        const std::string text = facet_ ? cell.names.back() : "";
        std::size_t panel = 0;
        while (panel < made_.panels.size() && made_.panels[panel].text != text)
            ++panel;
        if (panel == made_.panels.size())
            made_.panels.push_back({facet_ ? name_of(*facet_, text) : "", text, {}});
        const std::size_t number = place_in(made_.curves, name);
        std::vector<FigureCurve>& curves = made_.panels[panel].curves;
        for (FigureCurve& curve : curves)
            if (curve.number == number) return curve;
        return curves.emplace_back(FigureCurve{number, {}});
    }

    void note_averages(const Summary& found) {
        const std::set<std::string> named(found.by.begin(), found.by.end());
        for (const std::size_t column : columns_of(study_).names) {
            const std::string& name = study_.columns[column];
            const bool differs =
                !named.contains(name) &&
                std::any_of(found.cells.begin(), found.cells.end(), [&](const Cell& cell) {
                    return std::any_of(cell.rows.begin(), cell.rows.end(), [&](std::size_t row) {
                        return study_.rows[row][column] != study_.rows[cell.rows.front()][column];
                    });
                });
            if (differs) made_.averaged_over.push_back(name);
        }
    }

    const Study& study_;
    const FigureOptions& options_;
    std::size_t x_;
    std::vector<std::size_t> curve_;
    std::optional<std::size_t> facet_;
    std::optional<std::size_t> promise_;
    bool has_categories_ = false;
    bool some_ = false;
    Figure made_;
};

}  // namespace

const std::vector<std::string>& marks_words() {
    static const std::vector<std::string> words = {"curves", "points", "boxes"};
    return words;
}

Marks marks_from_word(std::string_view word) {
    return static_cast<Marks>(place_of_word(word, marks_words(), "--marks"));
}

const std::vector<std::string>& spread_words() {
    static const std::vector<std::string> words = {"mean", "quantiles", "extremes", "none"};
    return words;
}

Spread spread_from_word(std::string_view word) {
    return static_cast<Spread>(place_of_word(word, spread_words(), "--band"));
}

bool shows_median(const FigureOptions& options) {
    return options.marks == Marks::boxes || options.spread == Spread::quantiles ||
           options.spread == Spread::extremes;
}

Figure figure_of(const Study& study, const FigureOptions& options) {
    expect_two_quantiles(options);
    return FigureMaker(study, options).make();
}

}  // namespace equipoise::report
