#pragma once
// Curves of runs for papers and slides.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/model/run/record.hpp"
#include "equipoise/report/pictures/chart.hpp"

namespace equipoise::report {

/// The quantity that is drawn.
enum class Quantity : std::uint8_t {
    discrepancy,      ///< of all nodes
    potential,        ///< n * sum x^2 - T^2
    local_imbalance,  ///< largest difference across a link; needs the loads of all samples
    moved,            ///< tokens times links crossed so far; needs a full record
};

/// What the horizontal axis counts.
enum class Over : std::uint8_t {
    steps,
    rounds,  ///< each step counts as the run's average number of rounds per step
};

struct PlotOptions {
    Quantity quantity = Quantity::discrepancy;
    Over over = Over::steps;
    Scale x = Scale::logarithmic;
    Scale y = Scale::logarithmic;
};

/// The words of the command line: discrepancy, potential, ...; steps, rounds; log-log, linear, ...
[[nodiscard]] const std::vector<std::string>& quantity_words();
[[nodiscard]] const std::vector<std::string>& over_words();
[[nodiscard]] const std::vector<std::string>& axes_words();
/// Throw InputError for another word.
[[nodiscard]] Quantity quantity_from_word(std::string_view word);
[[nodiscard]] Over over_from_word(std::string_view word);
void set_axes(PlotOptions& options, std::string_view word);
void set_axes(Scale& x, Scale& y, std::string_view word);

/// A quantity of every run over its steps, in tokens. Each model has a panel of its own, since
/// steps of different models are not comparable. A theorem's promise for a run about the quantity
/// or its steps is dashed, the best possible (if the run was compared with it) dotted; the last
/// marker of a run is open if it did not reach its goal. Throws InputError when there is no record,
/// or one that does not hold the quantity.
[[nodiscard]] Chart plot_chart(std::span<const model::Record> records,
                               const PlotOptions& options = {});

/// The points of its curves as CSV.
[[nodiscard]] std::string plot_csv(const Chart& chart, const PlotOptions& options = {});

/// The same as an SVG picture.
[[nodiscard]] std::string plot_svg(std::span<const model::Record> records,
                                   const PlotOptions& options = {});

}  // namespace equipoise::report
