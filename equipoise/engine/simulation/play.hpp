#pragma once
// A node program played as a run: with observers, stop rules and costs like any other.

#include "equipoise/engine/parts/graph.hpp"
#include "equipoise/engine/program_nodes.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/engine/simulation/options.hpp"
#include "equipoise/engine/simulation/play_costs.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// Plays the nodes of a program on `network` until all are done, nothing is on the way, or a stop
/// rule holds. A step is a moment at which something happens: with unit delays steps are time. In a
/// world that changes, each step begins with the changes that the environment of the options asks
/// for, and nothing need happen in a step: such a run goes on when nothing is on the way, unless
/// its stop rule ends it.
/// Tokens on their way count at their sender, so that every token is at some node. Discrepancy and
/// 1-balance are measured on `measured`, which has the same nodes.
/// `quiet` means that nothing was on the way, or that nothing could move any more. Tokens that
/// change owners apart from messages do so when they are taken over; if the ends of a link then
/// disagree, the difference counts as created or destroyed. Throws as `run_rounds` and
/// `Simulation`.
[[nodiscard]] RoundOutcome run_program(ProgramNodes& nodes, const network::Network& network,
                                       const Graph& measured, load::Loads loads,
                                       const RoundOptions& options, SimulationOptions asynchrony,
                                       ProgramCosts& program_costs);

}  // namespace equipoise::engine
