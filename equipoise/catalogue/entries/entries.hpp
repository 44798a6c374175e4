#pragma once
// One function an entry of the catalogue; each has a file of its own.

#include "equipoise/catalogue/algorithm.hpp"

namespace equipoise::catalogue::entries {

[[nodiscard]] Algorithm threshold_2();
[[nodiscard]] Algorithm threshold_1();
[[nodiscard]] Algorithm threshold_1_plus();
[[nodiscard]] Algorithm discrepancy_1();

}  // namespace equipoise::catalogue::entries
