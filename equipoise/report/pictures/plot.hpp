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

/// What is drawn.
enum class Quantity : std::uint8_t {
    discrepancy,      ///< of all nodes
    potential,        ///< n * sum x^2 - T^2
    local_imbalance,  ///< largest difference across a link; needs the loads of all samples
    moved,            ///< tokens times links crossed until then; needs a full record
};

/// Over what it is drawn.
enum class Over : std::uint8_t {
    steps,
    rounds,  ///< a step counts as many rounds as the run's steps took on average
};

struct PlotOptions {
    Quantity quantity = Quantity::discrepancy;
    Over over = Over::steps;
    Scale x = Scale::logarithmic;
    Scale y = Scale::logarithmic;
};

/// Words of the command line: discrepancy, potential, ...; steps, rounds; log-log, linear, ...
[[nodiscard]] const std::vector<std::string>& quantity_words();
[[nodiscard]] const std::vector<std::string>& over_words();
[[nodiscard]] const std::vector<std::string>& axes_words();
/// Throw InputError for another word.
[[nodiscard]] Quantity quantity_from_word(std::string_view word);
[[nodiscard]] Over over_from_word(std::string_view word);
void set_axes(PlotOptions& options, std::string_view word);

/// A quantity of every run over its steps, in tokens. Each model has a panel of its own, since
/// steps of different models are not comparable. What a theorem promises for a run about the
/// quantity or its steps is dashed, the best possible (if the run was measured against it) dotted;
/// the last marker of a run is open if it did not reach its goal. Throws InputError when there is
/// no record, or one that does not hold the quantity.
[[nodiscard]] Chart plot_chart(std::span<const model::Record> records,
                               const PlotOptions& options = {});

/// The same as an SVG picture.
[[nodiscard]] std::string plot_svg(std::span<const model::Record> records,
                                   const PlotOptions& options = {});

}  // namespace equipoise::report
