#pragma once
// The page: one self-contained file that shows runs in a browser and needs no network.

#include <span>
#include <string>

#include "equipoise/model/run/record.hpp"

namespace equipoise::report {

/// The page of one or more runs: the network drawn and coloured by load, a slider through time,
/// discrepancy and potential over the steps with what theorems promise, and a table of all runs.
/// Everything that comes from records is escaped. Throws InputError when there is no record.
[[nodiscard]] std::string render_html(std::span<const model::Record> records);

/// Writes the page to a temporary file that is then renamed to `path`. Throws InputError when that
/// fails.
void write_html(std::span<const model::Record> records, const std::string& path);

}  // namespace equipoise::report
