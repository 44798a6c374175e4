#include "equipoise/engine/ranks/play_ranks.hpp"

#include <stdexcept>

#include "equipoise/engine/run_control.hpp"

namespace equipoise::engine {

std::pair<RoundOptions, SimulationOptions> replay_of(const RankRun& run,
                                                     const RoundOptions& options,
                                                     const SimulationOptions& world) {
    std::pair<RoundOptions, SimulationOptions> replay(options, world);
    replay.first.interrupt = {};
    replay.first.fabric = nullptr;
    replay.second.replays = &run.order;
    replay.second.transport = nullptr;
    return replay;
}

void expect_replayed(const RankRun& run, RoundOutcome& replayed) {
    if (replayed.loads != run.loads)
        throw std::logic_error("the order of deliveries does not lead to where the ranks came");
    if (run.reason == Parting::interrupted)
        replayed.stopped_because = model::StopReason::interrupted;
}

RoundOutcome outcome_of(const RankRun& run, std::span<const Tokens> initial,
                        const RoundOptions& options) {
    RoundOptions here = options;
    here.fabric = nullptr;
    RunControl control(here, 1, false, initial);
    control.start(initial);
    if (run.figures.time > 0) {
        StepTotals totals;
        totals.exchanges = run.figures.exchanges;
        totals.messages = run.figures.messages;
        control.end_step(totals, run.figures.time, run.loads, {});
    }
    control.finish(run.loads);
    RoundOutcome outcome;
    outcome.loads = run.loads;
    outcome.costs = control.costs();
    const bool all_done = run.figures.nodes_done == run.loads.size();
    if (run.reason == Parting::interrupted)
        outcome.stopped_because = model::StopReason::interrupted;
    else
        outcome.stopped_because =
            all_done ? model::StopReason::own_termination : model::StopReason::quiet;
    return outcome;
}

}  // namespace equipoise::engine
