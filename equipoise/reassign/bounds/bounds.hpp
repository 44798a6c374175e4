#pragma once
// What no plan can undercut, with reasons that anyone can add up.

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// A number that no plan undercuts, and why.
struct Bound {
    Int128 at_least = 0;
    std::string reason;  ///< in words; empty where the bound is 0
};

/// Bounds on the parts of a score (see `Score`), each for plans that reach the given values in all
/// parts before it: over_levels for plans with the least over_thresholds, and so on.
struct Bounds {
    Bound broken;
    Bound over_thresholds;
    Bound over_levels;
    Bound cost;
    Bound fewest;
    Bound moves;
    Bound waves;
    // Of leaders, for plans in which items end where they do in this one, and given leaders lead
    // where they may.
    Bound leaders_over;     ///< on `LeaderStanding::over`
    Bound leaders_changed;  ///< on changes, given that
    /// Whether the time ended before all was computed: none is wrong, but some may be lower than
    /// need be.
    bool cut_short = false;
};

struct BoundOptions {
    std::uint64_t effort = 10'000'000;  ///< steps, in all
    double seconds = 5;          ///< for linear programs; with less than 1, fewer looks for prices
    bool linear_program = true;  ///< where its solver was built in; runs by effort leave it out
    std::stop_token stop;        ///< of what is not yet computed
};

/// Bounds for plans that reach at least as good a score as `reached` in the parts before each one.
[[nodiscard]] Bounds bounds_of(const Problem& problem, const Score& reached,
                               const BoundOptions& options);

/// Looks at moves that a bound on waves may take.
inline constexpr std::uint64_t effort_of_waves = 2'000'000;

/// The fewest waves of any schedule that moves at least what every placement with a score of at
/// most `reached` must move; for small problems by search of all schedules, if at most `effort`
/// looks at moves are enough. Or, with `ends`, the fewest waves to these ends.
[[nodiscard]] Bound waves_at_least(const Problem& problem, const Score& reached,
                                   std::uint64_t effort = effort_of_waves,
                                   const std::stop_token& stop = {});
[[nodiscard]] Bound waves_at_least(const Problem& problem, std::span<const MachineId> ends);

/// Whether a solver of linear programs was built in.
[[nodiscard]] bool has_linear_programs();

}  // namespace equipoise::reassign
