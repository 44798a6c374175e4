#pragma once
// All structures; each is a file of this folder.

#include "equipoise/catalogue/studies/structures/structure.hpp"

namespace equipoise::catalogue {

/// Where tokens lie at the start.
[[nodiscard]] Structure loads_structure();
/// Rabani, Sinclair, Wanka 1998: Figures 1 and 2.
[[nodiscard]] Structure matchings_structure();
/// The same: Figures 2 and 3.
[[nodiscard]] Structure circuit_structure();

/// The timetable that levels a line.
[[nodiscard]] Structure array_timetable_structure();
/// Theorem 1's set of nodes with too many tokens, and the cut that proves a schedule shortest.
[[nodiscard]] Structure cut_structure();
/// The network whose flows are schedules.
[[nodiscard]] Structure flow_graph_structure();
/// The slices and lines of the weakly adaptive algorithms on meshes.
[[nodiscard]] Structure slices_structure();
/// The submeshes of the strongly adaptive algorithm on meshes.
[[nodiscard]] Structure submeshes_structure();

// Houle, Symvonis, Wood 2004, Section 4.
/// The arcs that observers follow, with the steps in which they do.
[[nodiscard]] Structure observer_tour_structure();
/// Two observers and the links at which they meet.
[[nodiscard]] Structure meeting_structure();
/// A gap as a sum of stable gaps, and the loads that show that no shorter sum exists.
[[nodiscard]] Structure stable_gap_structure();
/// The iterations of CONSTRUCT SUBGRAPH.
[[nodiscard]] Structure construct_subgraph_structure();

}  // namespace equipoise::catalogue
