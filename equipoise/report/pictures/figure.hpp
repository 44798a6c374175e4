#pragma once
// Figures of studies for papers: a column over another, for each algorithm a curve with its band,
// points with error bars, or boxes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/report/pictures/chart.hpp"
#include "equipoise/report/studies/summary.hpp"

namespace equipoise::report {

enum class Marks : std::uint8_t {
    curves,  ///< with a band
    points,  ///< with error bars
    boxes,   ///< median, quantiles, whiskers to least and largest
};

/// What a band or an error bar shows.
enum class Spread : std::uint8_t {
    mean,       ///< the mean and its interval
    quantiles,  ///< the median and the quantiles asked for
    extremes,   ///< the median, the least and the largest
    none,       ///< the mean alone
};

/// The words of the command line. The other way round, throws InputError for another word.
[[nodiscard]] const std::vector<std::string>& marks_words();
[[nodiscard]] Marks marks_from_word(std::string_view word);
[[nodiscard]] const std::vector<std::string>& spread_words();
[[nodiscard]] Spread spread_from_word(std::string_view word);

struct FigureOptions {
    std::string x;   ///< column of the horizontal axis
    std::string y;   ///< column that is summarised
    std::string by;  ///< one colour for each text of this column; empty: algorithm, if there is one
    std::string facet;  ///< one panel for each text of this column; empty: none
    Marks marks = Marks::curves;
    Spread spread = Spread::mean;
    Scale x_scale = Scale::logarithmic;
    Scale y_scale = Scale::logarithmic;
    SummaryOptions summary;  ///< interval and quantiles; its columns are not used
};

/// Whether marks stand at medians rather than means.
[[nodiscard]] bool shows_median(const FigureOptions& options);

/// A cell of the study: the runs of one x, one curve and one panel.
struct FigureMark {
    std::string x;         ///< as it stands in the study
    double at = 0;         ///< its number, or its place among the categories
    std::size_t runs = 0;  ///< whole ones with a value; the others are empty if there are none
    std::size_t cut_short = 0;
    std::size_t left_out = 0;
    std::optional<statistics::Sample> sample;
    std::optional<double> centre;  ///< mean or median
    std::optional<double> low;     ///< of the band, bar or box
    std::optional<double> high;
    std::optional<double> promised;  ///< the most that a theorem allows for one of the runs
};

struct FigureCurve {
    std::size_t number = 0;         ///< of its name in `Figure::curves`
    std::vector<FigureMark> marks;  ///< by ascending `at`
};

struct FigurePanel {
    std::string name;  ///< empty without facets
    std::string text;  ///< of the facet's column
    std::vector<FigureCurve> curves;
};

/// What a figure shows; names of curves, panels and categories in the order of the study.
struct Figure {
    std::string x_title;
    std::string y_title;
    std::vector<std::string> categories;  ///< empty: x is a number
    std::vector<std::string> curves;      ///< one empty name without `by`
    std::vector<FigurePanel> panels;
    std::size_t cut_short = 0;
    std::size_t left_out = 0;
    std::size_t without_value = 0;  ///< whole runs without an x or a y
    /// Columns that name runs, but differ among runs of one mark, other than the seed.
    std::vector<std::string> averaged_over;
};

/// Throws InputError as `summarise` does, and where nothing is left to draw.
[[nodiscard]] Figure figure_of(const Study& study, const FigureOptions& options);
/// What is not drawn is counted in the notes.
[[nodiscard]] Chart figure_chart(const Figure& figure, const FigureOptions& options);
[[nodiscard]] Chart figure_chart(const Study& study, const FigureOptions& options);
/// The numbers that the figure shows, as CSV: one line for each mark.
[[nodiscard]] std::string figure_csv(const Figure& figure, const FigureOptions& options);
[[nodiscard]] std::string figure_csv(const Study& study, const FigureOptions& options);

}  // namespace equipoise::report
