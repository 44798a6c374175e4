#pragma once
// The facts about algorithms that reports show.

#include <string_view>
#include <vector>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/parameters.hpp"
#include "equipoise/report/answers/algorithms.hpp"

namespace equipoise::catalogue {

[[nodiscard]] report::AlgorithmSheet sheet_of(const Algorithm& algorithm);
/// The sheets of all algorithms, in the order of help.
[[nodiscard]] std::vector<report::AlgorithmSheet> algorithm_sheets();

/// The values of an algorithm's parameters that go without saying; none if there is no such
/// algorithm.
[[nodiscard]] ParameterTexts usual_parameters(std::string_view algorithm);

}  // namespace equipoise::catalogue
