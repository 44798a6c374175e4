#pragma once
// The catalogue as people, programs and the docs read it.

#include <string>

#include "equipoise/catalogue/algorithm.hpp"

namespace equipoise::catalogue {

/// A line an algorithm: name, model, title.
[[nodiscard]] std::string algorithms_text();
/// Everything about one algorithm, a line a fact.
[[nodiscard]] std::string describe(const Algorithm& algorithm);
/// A list of objects: name, title, source, model, needs, parameters, guarantee, stop.
[[nodiscard]] std::string algorithms_json();
/// A table for the docs.
[[nodiscard]] std::string algorithms_markdown();

}  // namespace equipoise::catalogue
