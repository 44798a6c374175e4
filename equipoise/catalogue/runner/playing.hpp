#pragma once
// Playing what an entry declares: rounds, a node program or a move program; in this process, on all
// ranks together, or on rank 0 for all.

#include <cstddef>

#include "equipoise/base/tokens.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/model/run/record.hpp"

namespace equipoise::catalogue {

/// Full records of asynchronous runs without faults hold the order of at most this many deliveries.
inline constexpr std::size_t deliveries_recorded_max = 50'000;

/// Plays the task as `round` says, and notes in the record the facts that only the engine knows.
/// The outcome is the same on all ranks, except that only those have the final loads that
/// `round.final_loads` asks for.
[[nodiscard]] engine::RoundOutcome play(const Algorithm& algorithm, const Task& task,
                                        const engine::RoundOptions& round,
                                        const RunOptions& options, model::Record& record);

/// Figures of the loads at the end.
struct FinalFigures {
    Tokens discrepancy = 0;
    Tokens local_imbalance = 0;
};

/// The same on all ranks, wherever the loads are. Collective. Loads of own nodes are looked at by
/// their owners, and those of nodes with links to other ranks travel once.
[[nodiscard]] FinalFigures figures_of(const Task& task, const engine::RoundOptions& round,
                                      engine::RoundOutcome& played);

}  // namespace equipoise::catalogue
