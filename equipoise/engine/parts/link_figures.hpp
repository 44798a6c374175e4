#pragma once
// Figures about the links of a network that the ranks compute together.

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/parts/part.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::engine {

/// Figures over all links of a network.
struct LinkFigures {
    LinkId between_ranks = 0;
    Tokens local_imbalance = 0;  ///< the largest difference across a link
};

/// The same on every rank. Collective: the loads of nodes with links to other ranks travel once.
[[nodiscard]] LinkFigures link_figures(Fabric& fabric, Part part, load::Loads& own_loads);

}  // namespace equipoise::engine
