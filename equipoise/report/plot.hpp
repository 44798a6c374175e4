#pragma once
// A picture of runs for papers and slides.

#include <span>
#include <string>

#include "equipoise/model/run/record.hpp"

namespace equipoise::report {

/// The discrepancy of every run over its steps as an SVG picture, 900 units wide and, if all runs
/// are of one model, 560 high; each further model has a panel of its own below, since steps of
/// different models are not comparable. Both axes are logarithmic from 1 on, with a place for 0;
/// discrepancies in tokens, on one scale in all panels; what a theorem promises about the
/// discrepancy as a dashed line, the end of a run as a dot (hollow if it did not reach its goal).
/// Loads nothing and needs no fonts of its own. Throws InputError when there is no record, or one
/// without samples (those of level summary).
[[nodiscard]] std::string plot_svg(std::span<const model::Record> records);

}  // namespace equipoise::report
