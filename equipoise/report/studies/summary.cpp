#include "equipoise/report/studies/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/report/studies/columns.hpp"

namespace equipoise::report {

namespace {

using Texts = std::vector<std::string>;

std::string rows_text(std::pair<std::size_t, std::size_t> rows) {
    return "rows " + std::to_string(rows.first + 1) + " and " + std::to_string(rows.second + 1);
}

class Summariser {
  public:
    Summariser(const Study& study, const SummaryOptions& options) : study_(study) {
        if (options.by.empty() || options.of.empty() || !options.against.empty())
            columns_ = columns_of(study, options.of);
        made_.origin = study.origin;
        made_.options = options;
        std::sort(made_.options.fractions.begin(), made_.options.fractions.end());
        take_columns();
        for (std::size_t row = 0; row < study.rows.size(); ++row)
            states_.push_back(state_of(study, row));
        if (!options.against.empty()) pair_runs();
    }

    Summary make() {
        std::map<Texts, std::size_t> numbers;
        for (std::size_t row = 0; row < study_.rows.size(); ++row) {
            Texts names = texts_of(row, by_);
            const auto [found, fresh] = numbers.emplace(names, made_.cells.size());
            if (fresh) {
                made_.cells.emplace_back();
                made_.cells.back().names = std::move(names);
            }
            Cell& cell = made_.cells[found->second];
            if (states_[row] == RowState::cut_short) ++cell.cut_short;
            if (states_[row] == RowState::left_out) ++cell.left_out;
            if (states_[row] == RowState::whole) cell.rows.push_back(row);
        }
        for (Cell& cell : made_.cells)
            for (const std::size_t column : of_)
                cell.quantities.push_back(quantity_of(cell, column));
        return std::move(made_);
    }

  private:
    void take_columns() {
        const SummaryOptions& options = made_.options;
        for (const std::string& name : options.by)
            by_.push_back(study_.column(name));
        if (by_.empty()) {
            if (!study_.has("seed"))
                throw InputError(
                    study_.origin +
                    ": expected a column \"seed\", or the columns that name a cell (by)");
            if (columns_.alike)
                throw InputError(study_.origin + ": " + rows_text(*columns_.alike) +
                                 " have the same names and the same seed: expected each run once, "
                                 "or the columns that name a cell (by)");
            by_ = columns_.names;
        }
        for (const std::string& name : options.of)
            of_.push_back(study_.column(name));
        if (of_.empty())
            for (const std::size_t column : columns_.results)
                if (study_.is_numeric(column)) of_.push_back(column);
        if (of_.empty())
            throw InputError(study_.origin +
                             ": expected results that are numbers, or the columns to summarise "
                             "(of), found none");
        for (const std::size_t column : by_)
            made_.by.push_back(study_.columns[column]);
        for (const std::size_t column : of_)
            made_.of.push_back(study_.columns[column]);
    }

    [[nodiscard]] Texts texts_of(std::size_t row, const std::vector<std::size_t>& columns) const {
        Texts texts;
        for (const std::size_t column : columns)
            texts.push_back(study_.rows[row][column]);
        return texts;
    }

    /// The algorithm of a row, and the same with its parameters.
    [[nodiscard]] std::pair<std::string, std::string> algorithm_of(std::size_t row) const {
        const std::string& name = study_.rows[row][study_.column("algorithm")];
        if (!study_.has("parameters")) return {name, name};
        return {name, name + ' ' + study_.rows[row][study_.column("parameters")]};
    }

    /// Finds the row of `against` for each other row.
    void pair_runs() {
        const std::string& against = made_.options.against;
        const std::size_t algorithm = study_.column("algorithm");
        std::vector<std::size_t> key = {study_.column("seed")};
        for (const std::size_t column : columns_.names)
            if (column != algorithm && study_.columns[column] != "parameters")
                key.push_back(column);
        std::set<std::string> algorithms;
        std::map<Texts, std::size_t> partners;
        is_against_.resize(study_.rows.size());
        for (std::size_t row = 0; row < study_.rows.size(); ++row) {
            const auto [name, with_parameters] = algorithm_of(row);
            algorithms.insert(name);
            is_against_[row] = name == against || with_parameters == against;
            if (!is_against_[row]) continue;
            const auto [found, fresh] = partners.emplace(texts_of(row, key), row);
            if (!fresh)
                throw InputError(study_.origin + ": " + rows_text({found->second, row}) +
                                 " are both runs of \"" + against +
                                 "\" from the same start: expected one, as \"" + with_parameters +
                                 "\" names with its parameters");
        }
        if (partners.empty())
            throw InputError(study_.origin + ": expected an algorithm with rows, found \"" +
                             against + '"' +
                             suggestion(against, Texts(algorithms.begin(), algorithms.end())));
        partner_.resize(study_.rows.size());
        for (std::size_t row = 0; row < study_.rows.size(); ++row) {
            const auto found = partners.find(texts_of(row, key));
            if (found != partners.end() && states_[found->second] == RowState::whole)
                partner_[row] = found->second;
        }
    }

    [[nodiscard]] std::optional<statistics::Sample> sample_of(const std::vector<double>& numbers,
                                                              std::size_t column) const {
        if (numbers.empty()) return std::nullopt;
        statistics::Sample sample =
            statistics::sample_of(numbers, made_.options.fractions, made_.options.interval);
        const bool is_finite = std::isfinite(sample.deviation.value_or(0)) &&
                               (!sample.interval || (std::isfinite(sample.interval->low) &&
                                                     std::isfinite(sample.interval->high)));
        if (!is_finite) refuse(column, sample.least, sample.largest);
        return sample;
    }

    [[noreturn]] void refuse(std::size_t column, double one, double other) const {
        throw InputError(
            fmt::format("{}: {}: expected numbers whose differences, deviation and "
                        "interval are finite, found {} and {}",
                        study_.origin, study_.columns[column], one, other));
    }

    [[nodiscard]] CellQuantity quantity_of(const Cell& cell, std::size_t column) const {
        std::vector<double> numbers;
        std::vector<double> differences;
        for (const std::size_t row : cell.rows) {
            const auto number = study_.number(row, column);
            if (!number) continue;
            numbers.push_back(*number);
            if (partner_.empty() || is_against_[row] || !partner_[row]) continue;
            const auto other = study_.number(*partner_[row], column);
            if (!other) continue;
            if (!std::isfinite(*number - *other)) refuse(column, *number, *other);
            differences.push_back(*number - *other);
        }
        return {study_.columns[column], sample_of(numbers, column), sample_of(differences, column)};
    }

    const Study& study_;
    StudyColumns columns_;
    Summary made_;
    std::vector<std::size_t> by_;
    std::vector<std::size_t> of_;
    std::vector<RowState> states_;
    std::vector<bool> is_against_;  ///< by row; empty: no differences
    std::vector<std::optional<std::size_t>> partner_;
};

}  // namespace

void expect_right(const SummaryOptions& options, const Study& study) {
    const double level = options.interval.level;
    if (!(level > 0 && level < 1))
        throw InputError("confidence: expected a number between 0 and 1, such as 0.95, found " +
                         fmt::format("{}", level));
    for (const double fraction : options.fractions)
        if (!(fraction >= 0 && fraction <= 1))
            throw InputError("quantiles: expected fractions from 0 to 1, such as 0.25, found " +
                             fmt::format("{}", fraction));
    std::vector<double> ascending = options.fractions;
    std::sort(ascending.begin(), ascending.end());
    const auto twice = std::adjacent_find(ascending.begin(), ascending.end());
    if (twice != ascending.end())
        throw InputError(
            fmt::format("quantiles: expected each fraction once, found {} twice", *twice));
    for (const Texts& names : {options.by, options.of})
        for (const std::string& name : names)
            static_cast<void>(study.column(name));
    if (options.against.empty()) return;
    static_cast<void>(study.column("algorithm"));
    static_cast<void>(study.column("seed"));
    if (!options.by.empty() &&
        std::find(options.by.begin(), options.by.end(), "algorithm") == options.by.end())
        throw InputError("against: expected \"algorithm\" among the columns that name a cell");
}

Summary summarise(const Study& study, const SummaryOptions& options) {
    expect_right(options, study);
    return Summariser(study, options).make();
}

}  // namespace equipoise::report
