#pragma once
// The data of the page, as compact JSON.

#include <span>
#include <string>

#include "equipoise/model/run/record.hpp"

namespace equipoise::report {

/// One line about what was run: "threshold-2 on torus:8x8", "4 algorithms on torus:8x8".
[[nodiscard]] std::string page_title(std::span<const model::Record> records);

/// Runs and networks as JSON in which `<`, `>` and `&` are escaped, so that it can be put in an
/// HTML script element. Bytes of names that are not UTF-8 become replacement characters. Moments
/// are thinned out and loads averaged over blocks or clusters (`Reduction`), so that a page stays
/// below 5 MB; only beyond about a thousand runs does the table alone exceed that. Throws
/// InputError for a record whose loads do not fit its network.
[[nodiscard]] std::string page_data(std::span<const model::Record> records);

}  // namespace equipoise::report
