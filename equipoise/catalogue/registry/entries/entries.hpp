#pragma once
// The entries of the catalogue, one file each.

#include <vector>

#include "equipoise/catalogue/registry/algorithm.hpp"

namespace equipoise::catalogue::entries {

/// What every file of this folder defines: x.cpp defines the function `Algorithm x::entry()`. The
/// list is made from the names of the files (cmake/EquipoiseEntries.cmake), in their order.
[[nodiscard]] std::vector<Algorithm> all();

}  // namespace equipoise::catalogue::entries
