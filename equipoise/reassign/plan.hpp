#pragma once
// A plan: where items end, in which waves they get there, and what is proved about it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/reassign/bounds/bounds.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/reasons/relax.hpp"
#include "equipoise/reassign/schedule/schedule.hpp"
#include "equipoise/reassign/search/search.hpp"

namespace equipoise::reassign {

struct Plan {
    Standing before;
    std::vector<Move> moves;  ///< in the order of waves
    Replayed replayed;        ///< what the moves do, as the checker sees it: `allowed`
    Bounds at_least;
    std::vector<Conflict> conflicts;  ///< why rules do not all hold in the end
    std::uint64_t effort = 0;         ///< iterations of the search
    std::uint64_t detours = 0;
    bool interrupted = false;
    std::string method;

    /// Whether rules, thresholds and levels hold in the end.
    [[nodiscard]] bool reached() const {
        const Score& score = replayed.end.score;
        return score.broken == 0 && score.over_thresholds == 0 && score.over_levels == 0;
    }
    /// Whether no plan is better in any part of the score, or needs fewer waves.
    [[nodiscard]] bool fewest_exact() const {
        return replayed.end.score.fewest == at_least.fewest.at_least;
    }
    [[nodiscard]] bool moves_exact() const {
        return Int128{static_cast<Tokens>(moves.size())} == at_least.moves.at_least;
    }
    [[nodiscard]] bool waves_exact() const {
        return Int128{static_cast<Tokens>(replayed.waves)} == at_least.waves.at_least;
    }
};

/// Finds a plan: a placement with a low score (search/), waves that get there (schedule/), bounds,
/// and reasons where rules cannot hold. The moves have been replayed by the checker. Throws
/// InputError as `Problem::check`.
[[nodiscard]] Plan make_plan(const Problem& problem, const SearchOptions& options);

/// The same for moves that were made elsewhere: what they do and, if they are allowed and within
/// the budget, what is proved about it. What could relax rules is not searched.
[[nodiscard]] Plan judge_moves(const Problem& problem, std::vector<Move> moves,
                               const SearchOptions& options);

}  // namespace equipoise::reassign
