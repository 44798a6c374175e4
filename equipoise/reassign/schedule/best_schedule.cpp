#include <utility>
#include <vector>

#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/schedule/made_schedule.hpp"
#include "equipoise/reassign/schedule/schedule.hpp"
#include "equipoise/reassign/waves/every_wave.hpp"
#include "equipoise/reassign/waves/good_placements.hpp"

namespace equipoise::reassign {

namespace {

/// Placements that are looked at one by one.
constexpr std::uint64_t placements_most = 5'000;

}  // namespace

std::optional<Schedule> best_schedule(const Problem& problem, const Score& best,
                                      const ScheduleOptions& options) {
    EveryWaveOptions every;
    every.effort = options.effort;
    every.stop = options.stop;
    const auto goals = placements_as_good(problem, best, placements_most);
    if (!goals) return std::nullopt;
    FewestWaves found = search_fewest_moves(problem, *goals, every);
    if (found.ended && !found.moves) {
        // No schedule leads to them.
        const auto ends = search_best_ends(problem, every);
        if (!ends) return std::nullopt;
        found = search_fewest_moves(problem, *ends, every);
    }
    if (!found.moves) return std::nullopt;
    const std::vector<MachineId> ends = places_after(problem, *found.moves);
    return made_schedule(problem, ends, std::move(*found.moves));
}

}  // namespace equipoise::reassign
