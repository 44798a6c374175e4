#pragma once
// A node program played as a run: with observers, stop rules and costs like any other.

#include <cstdint>
#include <utility>

#include "equipoise/engine/round_options.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/engine/simulation/play_costs.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// Plays a node program on `network` until every node is done, nothing is on the way, or a stop
/// rule holds. A step is a moment at which something happens: with unit delays steps are time.
/// Tokens on their way count with their sender, so that every token is somewhere. Discrepancies and
/// 1-balance are looked at on `measured`, which has the same nodes.
/// `quiet` says that nothing was on the way. Throws as `run_rounds` and `Simulation`.
template <model::NodeProgram Program, network::AnyGraph N>
[[nodiscard]] RoundOutcome run_program(const Program& program, const network::Network& network,
                                       const N& measured, load::Loads loads,
                                       const RoundOptions& options, SimulationOptions world,
                                       ProgramCosts& program_costs) {
    world.seed = options.seed;
    world.interrupt = options.interrupt;
    world.lists_transfers = true;
    world.measures_messages = true;
    Simulation<Program> simulation(program, network, loads, world, options.speeds);
    RunControl control(options, 1, false, loads);
    RoundOutcome outcome;
    control.start(loads);
    std::uint64_t messages = 0;
    auto reason = control.reason_to_stop(measured, std::span<const Tokens>(loads), false);
    while (!reason) {
        const auto moment = simulation.next_time();
        if (!moment) {
            reason = simulation.all_done() ? model::StopReason::own_termination
                                           : model::StopReason::quiet;
            break;
        }
        simulation.step();
        while (simulation.next_time() == moment)
            simulation.step();
        StepTotals totals;
        totals.messages = simulation.messages() - std::exchange(messages, simulation.messages());
        totals.steep = true;  // no rule about stable links ends an asynchronous run
        for (model::Transfer& transfer : simulation.transfers()) {
            transfer.step = control.costs().steps;
            loads[transfer.from] -= transfer.tokens;
            loads[transfer.to] += transfer.tokens;
            totals.exchanges += static_cast<std::uint64_t>(transfer.tokens);
        }
        control.end_step(totals, 1, loads, simulation.transfers(), {});
        simulation.clear_transfers();
        reason = control.reason_to_stop(measured, std::span<const Tokens>(loads), false);
    }
    control.finish(loads);
    const SimulationOutcome ended = simulation.outcome();
    program_costs.time = ended.time;
    program_costs.digest = ended.digest;
    program_costs.deliveries = simulation.take_deliveries();
    program_costs.largest_message_bits = ended.largest_message_bits;
    program_costs.memory_bits = 8 * (sizeof(typename Program::State) +
                                     network.degree_max() * sizeof(typename Program::PortState));
    outcome.loads = std::move(loads);
    outcome.costs = control.costs();
    outcome.stopped_because = *reason;
    return outcome;
}

}  // namespace equipoise::engine
