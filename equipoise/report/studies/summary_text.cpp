// A summary as a text for a terminal.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/report/studies/summary.hpp"
#include "equipoise/report/studies/summary_words.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

using Row = std::vector<std::string>;
using MaybeSample = std::optional<statistics::Sample> CellQuantity::*;

/// Tables of numbers that do not differ within cells have at most as many columns of them.
constexpr std::size_t columns_wide = 100;

class SummaryText {
  public:
    SummaryText(const Summary& summary, bool plain)
        : summary_(summary), plain_(plain), names_(differing_names(summary)) {
        for (const Cell& cell : summary.cells) {
            any_cut_ = any_cut_ || cell.cut_short > 0;
            any_left_ = any_left_ || cell.left_out > 0;
        }
    }

    [[nodiscard]] std::string text() const {
        std::string text = heading();
        std::vector<std::size_t> steady;
        std::string silent;
        std::string alike;
        const auto add_to = [](std::string& list, const std::string& name) {
            list += (list.empty() ? "" : ", ") + name;
        };
        for (std::size_t k = 0; k < summary_.of.size(); ++k) {
            const Says says = what_is_said(summary_, k);
            if (says == Says::nothing) add_to(silent, summary_.of[k]);
            if (says == Says::one_number) steady.push_back(k);
            if (says == Says::more)
                text += '\n' + summary_.of[k] + '\n' + samples(k, &CellQuantity::sample, "runs");
            if (says == Says::nothing || summary_.options.against.empty()) continue;
            if (differs(k))
                text += '\n' + summary_.of[k] + ", less that of " + summary_.options.against +
                        " from the same start with the same seed\n" +
                        samples(k, &CellQuantity::difference, "pairs");
            else
                add_to(alike, summary_.of[k]);
        }
        if (!steady.empty()) text += "\nThe same in all runs of a cell\n" + steady_tables(steady);
        if (!alike.empty())
            text += "\nThe same difference to " + summary_.options.against +
                    " in all pairs of a cell: " + alike + '\n';
        if (!silent.empty()) text += "\nWithout a value in any run: " + silent + '\n';
        return text;
    }

  private:
    [[nodiscard]] bool has_interval_ends() const {
        return summary_.options.interval.kind == statistics::IntervalKind::bootstrap;
    }

    [[nodiscard]] std::string heading() const {
        std::string text = summary_.origin + ": " + size_text(summary_);
        if (const std::string shared = shared_names(summary_); !shared.empty())
            text += "; " + shared;
        text += "\nEach mean has its " + interval_name(summary_.options.interval);
        if (!has_interval_ends())
            text += std::string(": mean ") + (plain_ ? "+-" : "±") + " half its width";
        text += '\n';
        if (const std::string apart = apart_text(summary_); !apart.empty()) text += apart + '\n';
        return text;
    }

    /// Whether pairs of some cell have different differences.
    [[nodiscard]] bool differs(std::size_t quantity) const {
        return std::any_of(summary_.cells.begin(), summary_.cells.end(), [&](const Cell& cell) {
            const auto& difference = cell.quantities[quantity].difference;
            return difference && difference->least < difference->largest;
        });
    }

    [[nodiscard]] std::vector<Column> name_columns() const {
        std::vector<Column> columns;
        columns.reserve(names_.size());
        for (const std::size_t name : names_)
            columns.push_back({summary_.by[name]});
        return columns;
    }
    [[nodiscard]] Row names_of(const Cell& cell) const {
        Row row;
        for (const std::size_t name : names_)
            row.push_back(cell.names[name]);
        return row;
    }

    void add_count_columns(std::vector<Column>& columns, const std::string& counts) const {
        columns.push_back({counts, Align::right});
        if (any_cut_) columns.push_back({"cut\nshort", Align::right});
        if (any_left_) columns.push_back({"left\nout", Align::right});
    }
    void add_counts(Row& row, const Cell& cell, std::uint64_t count) const {
        row.push_back(grouped(count));
        if (any_cut_) row.push_back(grouped(std::uint64_t{cell.cut_short}));
        if (any_left_) row.push_back(grouped(std::uint64_t{cell.left_out}));
    }

    /// A line for each cell: what its sample says.
    [[nodiscard]] std::string samples(std::size_t quantity, MaybeSample which,
                                      const std::string& counts) const {
        std::vector<Column> columns = name_columns();
        const auto add = [&](const std::string& title) {
            columns.push_back({title, Align::right});
        };
        add_count_columns(columns, counts);
        add("mean");
        const std::string level = percent(summary_.options.interval.level);
        if (has_interval_ends()) {
            add(level + "\nfrom");
            add("to");
        } else {
            add((plain_ ? "+- " : "± ") + level);
        }
        add("standard\ndeviation");
        add("least");
        for (const auto& [fraction, place] : fractions())
            add(place ? percent(fraction) : "median");
        add("largest");
        std::vector<Row> rows;
        for (const Cell& cell : summary_.cells) {
            const auto& sample = cell.quantities[quantity].*which;
            if (!sample && which == &CellQuantity::difference) continue;
            rows.push_back(names_of(cell));
            add_sample(rows.back(), cell, sample);
        }
        return layout(columns, rows, plain_);
    }

    void add_sample(Row& row, const Cell& cell,
                    const std::optional<statistics::Sample>& sample) const {
        add_counts(row, cell, sample ? sample->n : 0);
        if (!sample) {
            const std::size_t empty =
                5 + (has_interval_ends() ? 1 : 0) + summary_.options.fractions.size() + 1;
            row.insert(row.end(), empty, "-");
            return;
        }
        const auto shown = [](const std::string& digits) {
            return digits.empty() ? "-" : grouped_decimal(digits);
        };
        const Digits digits = digits_of(*sample, summary_.options.interval.kind);
        row.push_back(shown(digits.mean));
        if (has_interval_ends()) {
            row.push_back(shown(digits.low));
            row.push_back(shown(digits.high));
        } else {
            row.push_back(shown(digits.half));
        }
        row.push_back(sample->deviation ? shown(deviation_text(*sample->deviation)) : "-");
        row.push_back(grouped_real(sample->least));
        for (const auto& [fraction, place] : fractions())
            row.push_back(grouped_real(place ? sample->quantiles[*place] : sample->median));
        row.push_back(grouped_real(sample->largest));
    }

    /// The fractions asked for and the median, ascending; of the former, their places in samples.
    [[nodiscard]] std::vector<std::pair<double, std::optional<std::size_t>>> fractions() const {
        std::vector<std::pair<double, std::optional<std::size_t>>> found = {{0.5, std::nullopt}};
        for (std::size_t k = 0; k < summary_.options.fractions.size(); ++k)
            found.emplace_back(summary_.options.fractions[k], k);
        std::stable_sort(found.begin(), found.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        return found;
    }

    /// The quantities that are one number in each cell, side by side in tables that are not too
    /// wide.
    [[nodiscard]] std::string steady_tables(const std::vector<std::size_t>& quantities) const {
        std::string text;
        for (std::size_t first = 0; first < quantities.size();) {
            std::vector<Column> columns = name_columns();
            add_count_columns(columns, "runs");
            std::size_t last = first;
            std::size_t width = 0;
            for (const std::size_t name : names_)
                width += column_width(name);
            while (last < quantities.size() &&
                   (last == first || width + summary_.of[quantities[last]].size() < columns_wide)) {
                columns.push_back({summary_.of[quantities[last]], Align::right});
                width += summary_.of[quantities[last]].size() + 2;
                ++last;
            }
            std::vector<Row> rows;
            for (const Cell& cell : summary_.cells) {
                Row& row = rows.emplace_back(names_of(cell));
                add_counts(row, cell, cell.rows.size());
                for (std::size_t k = first; k < last; ++k) {
                    const auto& sample = cell.quantities[quantities[k]].sample;
                    row.push_back(sample ? grouped_real(sample->mean) : "-");
                }
            }
            text += (first > 0 ? "\n" : "") + layout(columns, rows, plain_);
            first = last;
        }
        return text;
    }

    [[nodiscard]] std::size_t column_width(std::size_t name) const {
        std::size_t width = summary_.by[name].size();
        for (const Cell& cell : summary_.cells)
            width = std::max(width, width_of(cell.names[name]));
        return width + 2;
    }

    const Summary& summary_;
    bool plain_;
    std::vector<std::size_t> names_;
    bool any_cut_ = false;
    bool any_left_ = false;
};

}  // namespace

std::string summary_text(const Summary& summary, bool plain) {
    return SummaryText(summary, plain).text();
}

}  // namespace equipoise::report
