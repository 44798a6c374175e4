#pragma once
// What the runs of a study say over their seeds, cell by cell.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/report/studies/study.hpp"
#include "equipoise/statistics/sample.hpp"

namespace equipoise::report {

struct SummaryOptions {
    /// The columns whose texts name a cell; empty: all that name a run (`columns_of`), but not its
    /// seed.
    std::vector<std::string> by;
    /// The columns that are summarised; empty: all results that are numbers.
    std::vector<std::string> of;
    std::vector<double> fractions = {0.25, 0.75};  ///< of the quantiles; in a summary they ascend
    statistics::IntervalOptions interval;
    /// Differences to this algorithm, run by run: pairs have the same seed and the same names but
    /// for algorithm and parameters. "chebyshev", or with its parameters, as they stand in the
    /// study: "chebyshev degree=3". Empty: none.
    std::string against;
};

/// One quantity over the whole runs of a cell.
struct CellQuantity {
    std::string column;
    std::optional<statistics::Sample> sample;  ///< nothing: no run has a value
    /// The algorithm's value less that of `against`, over the pairs of whole runs with both values.
    std::optional<statistics::Sample> difference;
};

struct Cell {
    std::vector<std::string> names;  ///< texts of the columns `by`
    std::vector<std::size_t> rows;   ///< of the study, whole ones only
    std::size_t cut_short = 0;
    std::size_t left_out = 0;
    std::vector<CellQuantity> quantities;  ///< one for each column of `of`
};

struct Summary {
    std::string origin;  ///< of the study
    std::vector<std::string> by;
    std::vector<std::string> of;
    SummaryOptions options;
    std::vector<Cell> cells;  ///< in the order in which they first stand in the study
};

/// Throws InputError for what is wrong whatever the rows are: columns that are not there, a level
/// that is not between 0 and 1, a fraction outside [0, 1] or given twice.
void expect_right(const SummaryOptions& options, const Study& study);

/// Throws InputError as `expect_right` does, for columns that are not numbers, for rows that
/// nothing tells apart (unless `by` says what a cell is), for an algorithm (`against`) that no row
/// has, for several rows of it that one run could be paired with, and for numbers so large that
/// their differences, deviation or interval are not finite.
[[nodiscard]] Summary summarise(const Study& study, const SummaryOptions& options = {});

/// For a terminal: a table for each quantity that differs within cells, with `plain` in ASCII
/// only; numbers have the digits that the width of their interval supports.
[[nodiscard]] std::string summary_text(const Summary& summary, bool plain = true);
/// A line for each cell and quantity, and an object of schemas/equipoise-summary.json, with all
/// digits. A column of `by` that is called as one of the summary gets "by_" before its name.
[[nodiscard]] std::string summary_csv(const Summary& summary);
[[nodiscard]] std::string summary_json(const Summary& summary);
/// Tables for papers, of the quantities that were asked for or differ within cells: means with
/// their intervals, in digits that these support. Where several algorithms were played from several
/// starts, each quantity has a table with a column for each algorithm; otherwise one table has a
/// column for each quantity.
[[nodiscard]] std::string summary_markdown(const Summary& summary);
/// The same for LaTeX with the packages booktabs and siunitx, numbers aligned at their points.
[[nodiscard]] std::string summary_latex(const Summary& summary);

/// Throws InputError unless the name of a file ends as one of those forms does: .txt, .csv, .json,
/// .md, .tex.
void expect_summary_file(const std::string& path);
/// Writes the summary in the form that the name of the file says. Throws InputError, also if that
/// is the file of the study, under whatever name.
void write_summary(const Summary& summary, const std::string& path);

}  // namespace equipoise::report
