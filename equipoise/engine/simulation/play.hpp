#pragma once
// A node program played as a run: with observers, stop rules and costs like any other.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/engine/live_network.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/engine/simulation/play_costs.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/model/local/node_faults.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// Nodes of a simulation that go and come as an environment wishes. Who is to go leaves when it has
/// handed its tokens on; who has no neighbour to hand them to, or one that is leaving, stays.
template <model::NodeProgram Program, network::AnyGraph N>
class ProgramChurn {
  public:
    explicit ProgramChurn(const N& measured) : live_(measured) {}

    [[nodiscard]] LiveNetwork<N>& live() { return live_; }
    /// Throws UnsuitableError when links are to go or tokens to arrive.
    void begin_step(Simulation<Program>& simulation, const model::Changes& wishes,
                    std::span<Tokens> loads) {
        if (!wishes.links.empty() || !wishes.arrivals.empty())
            throw UnsuitableError(
                "asynchronous runs have nodes that leave and join: expected no links that go and "
                "no arrivals");
        if constexpr (model::BearsChurn<Program>) {
            for (const auto& [subject, up] : wishes.nodes) {
                const auto node = static_cast<NodeId>(subject);
                if (!up)
                    simulation.ask_to_leave(node);
                else if (simulation.join(node))
                    turn(node, true, loads);
            }
        }
    }
    void end_step(Simulation<Program>& simulation, std::span<Tokens> loads) {
        for (const NodeId node : simulation.departed())
            turn(node, false, loads);
        simulation.clear_departed();
    }

  private:
    void turn(NodeId node, bool up, std::span<Tokens> loads) {
        model::Changes changes;
        changes.nodes.push_back({node, up});
        std::vector<model::Transfer> handed_over;
        live_.apply(changes, 0, loads, handed_over);
        EQUIPOISE_ASSERT(handed_over.empty());
    }

    LiveNetwork<N> live_;
};

/// Plays a node program on `network` until every node is done, nothing is on the way, or a stop
/// rule holds. A step is a moment at which something happens: with unit delays steps are time.
/// Tokens on their way count with their sender, so that every token is somewhere. Discrepancies and
/// 1-balance are looked at on `measured`, which has the same nodes.
/// `quiet` says that nothing was on the way, or that nothing could move any more. Tokens that
/// change owners apart from messages do so when they are taken over; what the ends of a link then
/// do not agree on counts as created or destroyed. Nodes go and come as the environment of the
/// options wishes. Throws as `run_rounds` and `Simulation`.
template <model::NodeProgram Program, network::AnyGraph N>
[[nodiscard]] RoundOutcome run_program(const Program& program, const network::Network& network,
                                       const N& measured, load::Loads loads,
                                       const RoundOptions& options, SimulationOptions world,
                                       ProgramCosts& program_costs) {
    world.seed = options.seed;
    world.interrupt = options.interrupt;
    world.lists_transfers = true;
    world.measures_messages = true;
    world.churns = options.environment != nullptr;
    Simulation<Program> simulation(program, network, loads, world, options.speeds);
    // From an arbitrary start a node may be thought to have given what it had not.
    RunControl control(options, 1, world.faults.corrupt_start, loads);
    std::optional<ProgramChurn<Program, N>> churn;
    if (world.churns) churn.emplace(measured);
    RoundOutcome outcome;
    control.start(loads);
    std::uint64_t messages = 0;
    auto reason = control.reason_to_stop(measured, std::span<const Tokens>(loads), false);
    while (!reason) {
        if (const model::Changes* wishes = control.wishes(loads))
            churn->begin_step(simulation, *wishes, loads);
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
        for (const auto& [node, tokens] : simulation.made()) {
            loads[node] += tokens;
            totals.book(tokens);
        }
        if (churn) churn->end_step(simulation, loads);
        control.end_step(totals, 1, loads, simulation.transfers(),
                         churn ? churn->live().components() : std::span<const NodeId>());
        simulation.clear_transfers();
        const std::span<const Tokens> now = loads;
        if (options.stop.own_termination && simulation.settled())
            reason = model::StopReason::quiet;
        else if (churn)
            reason = control.reason_to_stop(churn->live(), now, false);
        else
            reason = control.reason_to_stop(measured, now, false);
    }
    control.finish(loads);
    const SimulationOutcome ended = simulation.outcome();
    program_costs.time = ended.time;
    program_costs.digest = ended.digest;
    program_costs.deliveries = simulation.take_deliveries();
    program_costs.largest_message_bits = ended.largest_message_bits;
    program_costs.lost = ended.lost;
    program_costs.duplicated = ended.duplicated;
    program_costs.crashes = ended.crashes;
    program_costs.memory_bits = 8 * (sizeof(typename Program::State) +
                                     network.degree_max() * sizeof(typename Program::PortState));
    outcome.loads = std::move(loads);
    outcome.costs = control.costs();
    outcome.stopped_because = *reason;
    return outcome;
}

}  // namespace equipoise::engine
