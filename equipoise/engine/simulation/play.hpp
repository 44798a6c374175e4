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
/// world that changes each step begins with what the environment of the options wishes, and a step
/// may be one in which nothing happens: such a run does not end because nothing is on the way,
/// unless its stop rule says so.
/// Tokens on their way count with their sender, so that every token is somewhere. Discrepancies and
/// 1-balance are looked at on `measured`, which has the same nodes.
/// `quiet` says that nothing was on the way, or that nothing could move any more. Tokens that
/// change owners apart from messages do so when they are taken over; what the ends of a link then
/// do not agree on counts as created or destroyed. Throws as `run_rounds` and `Simulation`.
[[nodiscard]] RoundOutcome run_program(ProgramNodes& nodes, const network::Network& network,
                                       const Graph& measured, load::Loads loads,
                                       const RoundOptions& options, SimulationOptions asynchrony,
                                       ProgramCosts& program_costs);

}  // namespace equipoise::engine
