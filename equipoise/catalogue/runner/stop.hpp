#pragma once
// Stop rules as the command line writes them.

#include <string>
#include <string_view>
#include <vector>

#include "equipoise/model/run/stop.hpp"

namespace equipoise::catalogue {

/// One way to end a run, as help shows it.
struct StopInfo {
    std::string example;  ///< "discrepancy:1"
    std::string help;     ///< one line
};
[[nodiscard]] const std::vector<StopInfo>& stop_rules();

/// Parses `discrepancy:D`, `one-balanced`, `quiet:STEPS`, `stable:STEPS`, `own-termination`, or
/// several joined by `+` (the first that holds ends the run). Throws InputError naming what was
/// expected.
[[nodiscard]] model::StopRule parse_stop(std::string_view text);

/// The text that `parse_stop` turns into this rule (the cap on steps is not part of it).
[[nodiscard]] std::string to_text(const model::StopRule& rule);

}  // namespace equipoise::catalogue
