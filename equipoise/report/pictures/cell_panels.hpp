#pragma once
// Small meshes drawn as squares, one for each cell, with heavy borders between the parts of a
// partition: the same mesh in each panel.

#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/report/pictures/network_panels.hpp"

namespace equipoise::report {

/// The largest mesh that is drawn in panels, and the largest number of its axes.
inline constexpr NodeId cells_max = 1024;
inline constexpr std::size_t cell_axes_max = 3;

struct CellLook {
    std::string text = {};
    double shade = 0;       ///< as of PanelNode
    bool outlined = false;  ///< by an orange border against cells that are not
};

struct CellPanel {
    std::string words;            ///< above it
    std::vector<CellLook> cells;  ///< by node
    std::vector<NodeId> parts;    ///< by node; a heavy border is between cells of different parts
};

struct CellPanels {
    std::string title;
    std::vector<NodeId> sides;  ///< of the mesh
    std::vector<PanelMeaning> meanings;
    std::vector<CellPanel> panels;
};

/// A panel whose cells hold these loads, shaded up to `most`; all in one part.
[[nodiscard]] CellPanel loads_panel(std::string words, const std::vector<Tokens>& loads,
                                    Tokens most);

/// The panels in rows. A single axis goes to the right; of two axes, the first goes down; of three,
/// the first has a plane for each of its places, side by side. Throws InputError if the mesh has
/// more than `cells_max` cells or more than `cell_axes_max` axes of at least two cells.
[[nodiscard]] std::string cells_svg(const CellPanels& panels);

}  // namespace equipoise::report
