#pragma once
// Stop rules as the command line writes them.

#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/spec_info.hpp"
#include "equipoise/model/run/stop.hpp"

namespace equipoise::catalogue {

/// The ways to end a run, in the order help shows them.
[[nodiscard]] const std::vector<SpecInfo>& stop_rules();

/// One of `stop_rules`, or several joined by `+` (the first that holds ends the run). Throws
/// InputError naming what was expected.
[[nodiscard]] model::StopRule parse_stop(std::string_view text);

/// The text that `parse_stop` turns into this rule (the cap on steps is not part of it).
[[nodiscard]] std::string to_text(const model::StopRule& rule);

}  // namespace equipoise::catalogue
