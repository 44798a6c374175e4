#pragma once
// Plans in waves: fewest moves, and among those fewest waves.

#include <string>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/waves/bound.hpp"
#include "equipoise/optimum/waves/problem.hpp"

namespace equipoise::optimum {

/// A plan, and what is proved about it.
struct WavesPlan {
    bool found = false;
    bool none_exists = false;  ///< none was found, and all placements were tried
    WaveSchedule schedule;
    std::string
        method;  ///< which planner made it: "wrap-around", "colouring", "list", "search", "greedy"
    MovesBound at_least;   ///< no plan has fewer moves, or moves less size
    Tokens size = 0;       ///< the total size of the plan's moves
    Step waves = 0;        ///< of the plan
    WaveBound wave_bound;  ///< no plan has fewer waves than this

    [[nodiscard]] Tokens moves() const { return static_cast<Tokens>(schedule.size()); }
    [[nodiscard]] bool moves_exact() const { return found && moves() == at_least.moves; }
    [[nodiscard]] bool waves_exact() const { return found && waves == wave_bound.waves(); }
    [[nodiscard]] bool exact() const { return moves_exact() && waves_exact(); }
};

/// Plans with fewest moves and, among those, fewest waves. If all items have one size and no copies
/// get in the way, both are exact, unless capacities matter on the way to given final places or,
/// where giving and taking count together (half_duplex.hpp), some limit is odd or one for taking is
/// below that for both; otherwise the best of several planners, including the greedy movers
/// (greedy.hpp), with bounds. In the end all moves are searched (move_search.hpp), so that small
/// problems have a plan with the fewest moves wherever there is a plan. `check_waves` has checked
/// the schedule, and `check_wave_bound` the bound. `found` is false if nothing reached the target.
/// Throws as `ItemsProblem::check`, and UnsuitableError when bounds show that no plan exists.
[[nodiscard]] WavesPlan plan_waves(const ItemsProblem& problem);

}  // namespace equipoise::optimum
