#pragma once
// What a rank sees of the differences across links.

#include <span>

#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/parts/part.hpp"

namespace equipoise::engine {

/// The largest difference across a link of the whole network, on every rank. Collective: loads of
/// nodes with links to other ranks travel once.
[[nodiscard]] Tokens local_imbalance(Fabric& fabric, Part part, std::span<const Tokens> own_loads);

}  // namespace equipoise::engine
