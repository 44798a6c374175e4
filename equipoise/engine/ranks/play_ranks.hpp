#pragma once
// What runs on ranks share with other runs: costs and observers.

#include <span>
#include <utility>

#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/ranks/rank_run.hpp"
#include "equipoise/engine/ranks/transport.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/engine/simulation/options.hpp"

namespace equipoise::engine {

/// How a run on ranks is played once more by one process, in its order of deliveries.
[[nodiscard]] std::pair<RoundOptions, SimulationOptions> replay_of(const RankRun& run,
                                                                   const RoundOptions& options,
                                                                   const SimulationOptions& world);

/// Notes in the outcome of the replay why the ranks parted. Throws std::logic_error where the
/// replay came to other loads than the ranks.
void expect_replayed(const RankRun& run, RoundOutcome& replayed);

/// The outcome of a run on ranks from `initial` loads; observers see its beginning and its end.
[[nodiscard]] RoundOutcome outcome_of(const RankRun& run, std::span<const Tokens> initial,
                                      const RoundOptions& options);

}  // namespace equipoise::engine
