#pragma once
// Judges schedules without barriers, whoever made them: moves that wait only for moves.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// By move: the numbers of the moves that must be done before it starts, in ascending order.
///
/// Whoever carries moves out so starts a move at any time after these are done, and moves that wait
/// for the same moves together. Each takes as long as it takes.
using WaitsFor = std::vector<std::vector<std::uint32_t>>;

struct CheckedWaits {
    bool kept = false;         ///< whether every execution keeps all limits
    std::string fault;         ///< the first that some execution breaks, in words; empty: none
    std::size_t fault_at = 0;  ///< a move that it is about
};

/// The most moves that `check_waits` looks at.
inline constexpr std::size_t checked_waits_most = 30'000;

/// Whether every execution of the moves, however long each takes, keeps what `replay` asks of
/// waves, at every moment:
/// - an item is where its move begins, and may be where it goes;
/// - the moves that are under way keep `at_once`, `gives` and `takes` of every machine. What an
///   item is copied from stays where it is until the copy is made; where its own move starts
///   together with the copy, nothing that waits for the move starts before the copy is made;
/// - a machine on which something arrives that needs some of a resource holds no more of it than
///   its capacity. Items count from when their move there starts until their move from there is
///   done or, if the resource is released at once, starts. A resource that is released after the
///   last wave is never free again;
/// - nothing arrives, from its start on, where something is or arrives from which it must be apart
///   on the way;
/// - while no move is under way that changes what the rule counts, nothing has arrived where it is
///   with an item from which it must be apart in the end; no machine has fewer items, and
///   no value or pair is further from the rules `spread` and `near`, than `replay` allows.
/// The order of waves is not looked at. Exact, but for a rule of the last kind that could be broken
/// and whose moves have more than 20,000 orders: then it is said not to be kept. At most
/// `checked_waits_most` moves; more are said not to be kept.
/// Cost: O(moves^2) bits of memory; a maximum closure (Picard 1976) for each machine and resource
/// that might be short.
[[nodiscard]] CheckedWaits check_waits(const Problem& problem, std::span<const Move> moves,
                                       const WaitsFor& waits_for);

}  // namespace equipoise::reassign
