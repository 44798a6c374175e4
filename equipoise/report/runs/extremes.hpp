#pragma once
// How high and how low loads were during a run, from its record.

#include <cstdint>
#include <optional>
#include <string>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/run/record.hpp"

namespace equipoise::report {

using model::Extremes;

/// The extremes of the loads of nodes before the first and after every step; nothing unless the
/// record holds every move or, for asynchronous runs, the extremes of what nodes held without
/// tokens under way. Cost O(moves + steps with a move * nodes).
[[nodiscard]] std::optional<Extremes> extremes_of(const model::Record& record);

/// "0 to 17 at all times; the largest never rose, the least never fell"; for asynchronous runs "0
/// to 17 at all times, tokens under way not counted; ...".
[[nodiscard]] std::string extremes_text(const model::Record& record, const Extremes& extremes);

}  // namespace equipoise::report
