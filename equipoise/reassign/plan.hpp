#pragma once
// A plan: where items end, in which waves they get there, and what is proved about it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/reassign/bounds/bounds.hpp"
#include "equipoise/reassign/checks/leaders.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/reasons/relax.hpp"
#include "equipoise/reassign/schedule/schedule.hpp"
#include "equipoise/reassign/search/search.hpp"

namespace equipoise::reassign {

struct Plan {
    Standing before;
    std::vector<Move> moves;            ///< in the order of waves
    std::vector<LeaderChange> leaders;  ///< after the last wave
    Replayed replayed;                  ///< what the moves do, as the checker sees it: `allowed`
    ReplayedLeaders replayed_leaders;   ///< what the changes of leaders do, as the checker sees it
    LeaderStanding led_before;
    LeaderStanding led_after;
    std::uint64_t missed = 0;  ///< items that do not end where `Problem::given_ends` says
    Bounds at_least;
    std::vector<Conflict> conflicts;  ///< why rules do not all hold in the end
    std::uint64_t effort = 0;         ///< iterations of the search
    std::uint64_t detours = 0;
    bool interrupted = false;
    std::string method;

    /// Whether rules, thresholds and levels hold in the end, leaders included, and given ends and
    /// leaders are reached.
    [[nodiscard]] bool reached() const {
        const Score& score = replayed.end.score;
        return score.broken == 0 && score.over_thresholds == 0 && score.over_levels == 0 &&
               led_after.over == 0 && led_after.elsewhere == 0 && missed == 0;
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

/// Finds a plan: a placement with a low score (search/), or the one that is given; waves that get
/// there (schedule/); then which leaders change (leaders/); bounds, and reasons where rules cannot
/// hold. Moves and changes of leaders have been replayed by the checker. Throws InputError as
/// `Problem::check`.
[[nodiscard]] Plan make_plan(const Problem& problem, const SearchOptions& options);

/// The same for moves and changes of leaders that were made elsewhere: what they do and, if they
/// are allowed and within the budget, what is proved about it. What could relax rules is not
/// searched. Changes are not looked at where a move is not allowed.
[[nodiscard]] Plan judge_moves(const Problem& problem, std::vector<Move> moves,
                               std::vector<LeaderChange> leaders, const SearchOptions& options);

}  // namespace equipoise::reassign
