#pragma once
// In which order items move: waves that keep all rules on the way.

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

struct Schedule {
    bool complete = false;        ///< whether all items reach their ends
    std::vector<Move> moves;      ///< in the order of waves
    std::vector<ItemId> blocked;  ///< items that do not; `moves` are allowed all the same
    std::uint64_t detours = 0;    ///< moves to a machine that is not the item's end

    [[nodiscard]] Step waves() const { return moves.empty() ? 0 : moves.back().wave + 1; }
};

struct ScheduleOptions {
    std::uint64_t effort = 1'000'000;  ///< steps of the search for fewer waves and for detours
    std::uint64_t seed = 1;
    std::stop_token stop;
};

// Problem: items to given ends in few waves.
// Model: waves as `replay` allows them.
// Source: for problems of one resource without rules but copies, optimum/waves (Koenig 1916);
//   otherwise list scheduling in several orders (wave_list.hpp), detours (detours.hpp), all
//   schedules of small problems (every_wave.hpp), and list scheduling again, in which items that
//   came last go earlier (squeaky wheel optimisation: Joslin, Clements 1999).
// Guarantee: every move is allowed. The fewest waves if `waves_at_least` says so. Cost of the first
//   schedule O(waves * moves left), then `effort` looks at moves.

/// Waves in which the items reach `ends` (by item), as few as are found. Items go by way of other
/// machines only where they are not found to go straight, and never beyond the amounts of
/// `Problem::budget`.
[[nodiscard]] Schedule schedule_moves(const Problem& problem, std::span<const MachineId> ends,
                                      const ScheduleOptions& options);

/// The same to `ends`, or to other ends with a score that is no higher, if these are reached more
/// fully or in fewer waves (equal_ends.hpp).
[[nodiscard]] Schedule schedule_as_good(const Problem& problem, std::span<const MachineId> ends,
                                        const ScheduleOptions& options);

/// On small problems: the schedule to a placement with the best score that any schedule reaches
/// within `Problem::budget`, with the fewest moves and then the fewest waves, by search of all
/// schedules. `best`: a score that no placement undercuts. Nothing if a search takes more than
/// `effort`.
[[nodiscard]] std::optional<Schedule> best_schedule(const Problem& problem, const Score& best,
                                                    const ScheduleOptions& options);

/// The same as `schedule_moves`, with at most `Problem::budget.waves` waves: where these do not
/// suffice, those of the moves to `ends` that bring the score (`stand`) furthest down, as far as is
/// found.
[[nodiscard]] Schedule schedule_within(const Problem& problem, std::span<const MachineId> ends,
                                       const ScheduleOptions& options);

}  // namespace equipoise::reassign
