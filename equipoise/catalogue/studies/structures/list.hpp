#pragma once
// Every structure is a file of this folder.

#include "equipoise/catalogue/studies/structures/structure.hpp"

namespace equipoise::catalogue {

/// Where tokens lie at the start.
[[nodiscard]] Structure loads_structure();

}  // namespace equipoise::catalogue
