#include "equipoise/engine/simulation/play.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/engine/live_network.hpp"
#include "equipoise/engine/range_tree.hpp"
#include "equipoise/engine/run_control.hpp"
#include "equipoise/engine/simulation/node_simulation.hpp"

namespace equipoise::engine {

namespace {

/// Changes the world of a simulation as an environment asks: nodes come and go, tokens arrive and
/// are consumed. A node that is to go leaves once it has handed its tokens on; it stays if it has
/// nobody to hand them to or if a neighbour is leaving. A node that has left comes back as soon as
/// that is asked for.
class ProgramWorld {
  public:
    ProgramWorld(const Graph& measured, RunControl& control)
        : live_(measured), control_(control), wanted_(measured.node_count(), true) {}

    [[nodiscard]] LiveNetwork& live() { return live_; }
    /// Books in the totals what arrives and is consumed. Throws UnsuitableError if the program does
    /// not support such changes.
    void begin_step(NodeSimulation& simulation, std::span<Tokens> loads, RangeTree& range,
                    StepTotals& totals) {
        const model::Changes* wishes = control_.wishes(loads);
        if (wishes == nullptr) return;
        if (!wishes->links.empty())
            throw UnsuitableError(
                "in asynchronous runs nodes leave and join, but links cannot be cut (links= in "
                "--churn)");
        switch_nodes(simulation, wishes->nodes, loads);
        for (const auto& [node, tokens] : wishes->arrivals) {
            const Tokens come = simulation.arrive(node, tokens);
            loads[node] += come;
            range.change(node);
            totals.book(come);
        }
    }
    void end_step(NodeSimulation& simulation, std::span<Tokens> loads) {
        for (const NodeId node : simulation.departed()) {
            turn(node, false, control_.costs().steps + 1, loads);
            if (wanted_[node]) missed_.push_back(node);
        }
        simulation.clear_departed();
    }

  private:
    void switch_nodes(NodeSimulation& simulation, const std::vector<model::Changes::Switch>& wishes,
                      std::span<Tokens> loads) {
        for (const auto& [subject, up] : wishes) {
            const auto node = static_cast<NodeId>(subject);
            wanted_[node] = up;
            if (up)
                missed_.push_back(node);
            else
                simulation.ask_to_leave(node);
        }
        for (const NodeId node : missed_)
            if (wanted_[node] && simulation.join(node))
                turn(node, true, control_.costs().steps, loads);
        missed_.clear();
    }
    void turn(NodeId node, bool up, Step step, std::span<Tokens> loads) {
        model::Changes changes;
        changes.nodes.push_back({node, up});
        std::vector<model::Transfer> handed_over;
        live_.apply(changes, step, loads, handed_over);
        EQUIPOISE_ASSERT(handed_over.empty());
        control_.note(live_.switches());
    }

    LiveNetwork live_;
    RunControl& control_;
    std::vector<bool> wanted_;
    std::vector<NodeId> missed_;  ///< nodes that have left and are wanted again
};

/// Books what a simulation has done since the last call, in the loads and the totals of a step.
void book_step(NodeSimulation& simulation, Step step, std::span<Tokens> loads, RangeTree& range,
               StepTotals& totals) {
    totals.steep = true;  // no rule about stable links ends an asynchronous run
    for (model::Transfer& transfer : simulation.transfers()) {
        transfer.step = step;
        loads[transfer.from] -= transfer.tokens;
        loads[transfer.to] += transfer.tokens;
        range.change(transfer.from);
        range.change(transfer.to);
        totals.move(transfer.tokens);
    }
    for (const auto& [node, tokens] : simulation.made()) {
        loads[node] += tokens;
        range.change(node);
        totals.book(tokens);
    }
}

/// How many tokens nodes hold, over time.
class HeldExtremes {
  public:
    explicit HeldExtremes(std::span<const Tokens> loads) { look(loads); }

    void look(const NodeSimulation& simulation) {
        if (std::exchange(seen_, simulation.changes_of_held()) != simulation.changes_of_held())
            look(simulation.loads());
    }
    [[nodiscard]] const model::Extremes& found() const { return found_; }

  private:
    void look(std::span<const Tokens> held) {
        const auto [low, high] = std::minmax_element(held.begin(), held.end());
        if (low == held.end()) return;
        if (!last_) found_ = {*low, *high, 0, 0};
        found_.least = std::min(found_.least, *low);
        found_.most = std::max(found_.most, *high);
        if (last_ && *high > last_->second) ++found_.rises_of_most;
        if (last_ && *low < last_->first) ++found_.falls_of_least;
        last_ = {*low, *high};
    }

    std::uint64_t seen_ = 0;
    std::optional<std::pair<Tokens, Tokens>> last_;  ///< the least and the largest
    model::Extremes found_;
};

/// The costs of the whole run besides steps, exchanges and messages.
ProgramCosts costs_of(NodeSimulation& simulation, Port degree_max) {
    const SimulationOutcome ended = simulation.outcome();
    ProgramCosts costs;
    costs.time = ended.time;
    costs.digest = ended.digest;
    costs.deliveries = simulation.take_deliveries();
    costs.largest_message_bits = ended.largest_message_bits;
    costs.memory_bits = simulation.memory_bits(degree_max);
    costs.phases = simulation.phases();
    costs.lost = ended.lost;
    costs.duplicated = ended.duplicated;
    costs.crashes = ended.crashes;
    return costs;
}

}  // namespace

RoundOutcome run_program(ProgramNodes& nodes, const network::Network& network,
                         const Graph& measured, load::Loads loads, const RoundOptions& options,
                         SimulationOptions asynchrony, ProgramCosts& program_costs) {
    const bool changes = options.environment != nullptr;
    asynchrony.seed = options.seed;
    asynchrony.interrupt = options.interrupt;
    asynchrony.lists_transfers = true;
    asynchrony.measures_messages = true;
    asynchrony.churns = changes && options.environment->changes_network();
    NodeSimulation simulation(nodes, network, loads, asynchrony, options.speeds);
    // After an arbitrary start a node may be booked as giving tokens that it did not have.
    RunControl control(options, 1, asynchrony.faults.corrupt_start, loads);
    std::optional<ProgramWorld> changing;
    if (changes) changing.emplace(measured, control);
    RoundOutcome outcome;
    std::optional<HeldExtremes> held;
    if (asynchrony.follows_held) held.emplace(loads);
    control.start(loads);
    RangeTree range(loads);
    const auto note_discrepancy = [&] {
        const LoadRange now = range.range(loads);
        control.note_discrepancy(now.most - now.least);
    };
    note_discrepancy();
    std::uint64_t messages = 0;
    auto reason = control.reason_to_stop(measured, std::span<const Tokens>(loads), false);
    while (!reason) {
        StepTotals totals;
        if (changing) changing->begin_step(simulation, loads, range, totals);
        const auto moment = simulation.next_time();
        if (!moment && (!changing || options.stop.own_termination)) {
            reason = simulation.all_done() ? model::StopReason::own_termination
                                           : model::StopReason::quiet;
            break;
        }
        for (auto next = moment; next && next == moment; next = simulation.next_time())
            simulation.step();
        totals.messages = simulation.messages() - std::exchange(messages, simulation.messages());
        book_step(simulation, control.costs().steps, loads, range, totals);
        if (held) held->look(simulation);
        if (changing) changing->end_step(simulation, loads);
        const bool churns = asynchrony.churns;
        control.end_step(totals, 1, loads, simulation.transfers(),
                         churns ? changing->live().components() : std::span<const NodeId>());
        simulation.clear_transfers();
        note_discrepancy();
        const std::span<const Tokens> now = loads;
        if (options.stop.own_termination && simulation.settled())
            reason = model::StopReason::quiet;
        else if (churns)
            reason = control.reason_to_stop(changing->live(), now, false);
        else
            reason = control.reason_to_stop(measured, now, false);
    }
    control.finish(loads);
    program_costs = costs_of(simulation, network.degree_max());
    if (held) program_costs.held = held->found();
    outcome.loads = std::move(loads);
    outcome.costs = control.costs();
    outcome.stopped_because = *reason;
    outcome.level_since = control.level_since();
    return outcome;
}

}  // namespace equipoise::engine
