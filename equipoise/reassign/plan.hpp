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
#include "equipoise/reassign/checks/waits.hpp"
#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/reasons/relax.hpp"
#include "equipoise/reassign/schedule/schedule.hpp"
#include "equipoise/reassign/search/search.hpp"
#include "equipoise/reassign/waits/partial_order.hpp"

namespace equipoise::reassign {

struct Plan {
    Standing before;
    std::vector<Move> moves;            ///< in the order of waves
    std::vector<LeaderChange> leaders;  ///< after the last wave
    Replayed replayed;                  ///< what the moves do, as the checker sees it: `allowed`
    ReplayedLeaders replayed_leaders;   ///< what the changes of leaders do, as the checker sees it
    /// What each move waits for where nobody waits for waves. Where `checked_waits` has a fault,
    /// the given lists without times; empty where moves are not allowed.
    PartialOrder order;
    CheckedWaits checked_waits;  ///< of given lists, where there are any
    SecondsBound seconds_at_least;
    LeaderStanding led_before;
    LeaderStanding led_after;
    std::uint64_t missed = 0;  ///< items that do not end where `Problem::given_ends` says
    Bounds at_least;
    std::vector<Conflict> conflicts;  ///< why rules do not all hold in the end
    std::uint64_t effort = 0;         ///< iterations of the search
    std::uint64_t detours = 0;
    bool interrupted = false;
    bool waves_cut_short = false;   ///< whether the time ended before fewer waves, or waves at all,
                                    ///< had been looked for everywhere
    bool bounds_cut_short = false;  ///< whether it ended before all bounds had been computed
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
/// hold. Moves and changes of leaders have been replayed by the checker. `options.seconds` are for
/// all of that: most for the search, what is left for waves, the rest for bounds and reasons. With
/// `options.effort` alone nothing depends on a clock. Throws InputError as `Problem::check`.
[[nodiscard]] Plan make_plan(const Problem& problem, const SearchOptions& options);

/// The same for moves and changes of leaders that were made elsewhere: what they do and, if they
/// are allowed and within the budget, what is proved about it. What could relax rules is not
/// searched. Changes are not looked at where a move is not allowed. Waves that are allowed may come
/// with lists of what each move waits for, which are judged as well.
[[nodiscard]] Plan judge_moves(const Problem& problem, std::vector<Move> moves,
                               std::vector<LeaderChange> leaders, const SearchOptions& options,
                               std::optional<WaitsFor> waits_for = {});

}  // namespace equipoise::reassign
