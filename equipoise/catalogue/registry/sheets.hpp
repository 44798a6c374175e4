#pragma once
// The facts about algorithms that reports show.

#include <vector>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/report/answers/algorithms.hpp"

namespace equipoise::catalogue {

[[nodiscard]] report::AlgorithmSheet sheet_of(const Algorithm& algorithm);
/// The sheets of all algorithms, in the order of help.
[[nodiscard]] std::vector<report::AlgorithmSheet> algorithm_sheets();

}  // namespace equipoise::catalogue
