#pragma once
// The catalogue for people, for programs and for the docs.

#include <string>

#include "equipoise/catalogue/registry/algorithm.hpp"

namespace equipoise::catalogue {

/// One line per algorithm: name, model, title.
[[nodiscard]] std::string algorithms_text();
/// Everything about one algorithm, one fact per line.
[[nodiscard]] std::string describe(const Algorithm& algorithm);
/// A list of objects: name, title, source, model, needs, parameters, guarantee, stop.
[[nodiscard]] std::string algorithms_json();
/// A table for the docs.
[[nodiscard]] std::string algorithms_markdown();

}  // namespace equipoise::catalogue
