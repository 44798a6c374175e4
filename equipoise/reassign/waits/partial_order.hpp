#pragma once
// Schedules without barriers: what each move waits for, and when it begins and ends.

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "equipoise/reassign/checks/waits.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// A schedule without barriers. All is by move, as the moves were given.
struct PartialOrder {
    /// Empty where there are moves whose lists would have more than `waits_most` numbers in all.
    WaitsFor waits_for;
    /// Seconds from the start of the first move; empty where no rates a second are known.
    std::vector<double> starts;
    std::vector<double> ends;

    /// The end of the last move.
    [[nodiscard]] double seconds() const;
};

inline constexpr std::size_t waits_most = 20'000'000;

struct PartialOrderOptions {
    std::uint64_t effort = 5'000'000;  ///< steps of the search for a shorter order
    std::stop_token stop;
};

// Problem: moves that do not wait for whole waves, in a short time.
// Model: executions as `check_waits` judges them. A move that gives at one machine and takes at
//   another runs at the rate that the moves of its wave leave it there: it takes as long as the
//   slower of both machines needs for all that it gives, or takes, in the wave.
// Source: waits_builder.hpp; other orders by list scheduling (list_order.hpp).
// Guarantee: every execution of the lists keeps what `check_waits` asks; `reduce` has left out of
//   them what it can. The times are feasible, and the last move ends no later than the waves do,
//   one after the other:
// - At every moment what is under way at one end of a machine is of one wave (waits_builder.hpp).
//   With sizes s(m), their sum S over the moves of the wave at this end, and the rate R of the
//   machine, move m takes at least S / R, so it runs at a rate of at most s(m) R / S. These add up
//   to at most R.
// - By induction on waves, a move of wave w starts no later than the seconds of the waves before w,
//   added up: it waits for moves of earlier waves only. It takes no longer than wave w, which takes
//   as long as its slowest machine.
// Cost: as `WaitsBuilder` and `reduce`, and `effort`.

/// What the moves of waves that `replay` allows, in any order, must wait for. Where rates a second
/// are known, other orders of the same moves are tried, and the one is kept that ends first.
[[nodiscard]] PartialOrder partial_order(const Problem& problem, std::span<const Move> moves,
                                         const PartialOrderOptions& options);

/// Sets when moves begin and end that wait for the lists of `order`, whatever made these;
/// `check_waits` says that they are kept. A move shares each end with all that may be under way
/// there with it. The times of lists from `partial_order` stay as they are. Cost O(moves
/// (moves + waits / 64)).
void set_times(const Problem& problem, std::span<const Move> moves, PartialOrder& order);

/// By move of a wave: the seconds that it takes if the wave's moves run at once; 0 where it has
/// nothing to carry. `givers` is by move.
[[nodiscard]] std::vector<double> seconds_of_moves(const Problem& problem,
                                                   std::span<const Move> wave,
                                                   std::span<const MachineId> givers);

/// A time that no schedule undercuts which takes the items to their ends, and why.
struct SecondsBound {
    double at_least = 0;
    std::string reason;  ///< in words; empty where the bound is 0
};

/// For every schedule that takes all items to `ends` within the rates a second and the capacities,
/// by any way and in any order. 0 where no rates a second are known.
[[nodiscard]] SecondsBound seconds_at_least(const Problem& problem,
                                            std::span<const MachineId> ends);

}  // namespace equipoise::reassign
