#pragma once
// The page of a plan of experts, for one set of loads or at each step of a recording.

#include <string>

#include "equipoise/report/answers/experts_steps.hpp"

namespace equipoise::report {

/// A self-contained page: levels and copies as a picture, over the steps or, of one step, over the
/// layers; the layers of each step as bars; and what is certain. Everything that comes from files
/// is escaped.
[[nodiscard]] std::string experts_page(const ExpertsSteps& answer);
[[nodiscard]] std::string experts_page(const ExpertsAnswer& answer);

}  // namespace equipoise::report
