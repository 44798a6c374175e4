#pragma once
// Token distribution on a linear array: who gets the extra tokens, and the exact timetable.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::load {

/// Which cells of a line get the N mod n tokens left over.
enum class Extras : std::uint8_t {
    first,          ///< the first cells
    follow_supply,  ///< from the left, cells with a token too many or that one would pass
};

/// Writes floor(N/n) or ceil(N/n) tokens for every cell, N tokens in all. Cost: O(n).
void level_targets(std::span<const Tokens> supply, Extras extras, std::span<Tokens> targets);

/// What crosses the link between cells e and e + 1: |flow| tokens, one a step, in consecutive steps
/// from `first` (counted from 0); to the right if the flow is positive.
struct LinkTimes {
    Tokens flow = 0;
    Step first = 0;
};

/// A timetable that levels a line.
///
/// Problem: on a linear array, one send and one receive a cell and step, bring `supply` to
///   `targets` (equal sums, nothing negative).
/// Source: Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 3.2, Step 1, made exact.
/// Method: a link whose flow f goes right is busy in the last f of its first K steps: K = f if the
///   cell before it has f tokens of its own, else K = max(f, K of the link before + 1 - target).
///   Flows to the left are the same with time reversed: the first |f| of the last D steps, D = |f|
///   if the cell keeps |f|, else D = max(|f|, D of the link before + 1 - supply). A cell that sends
///   both ways does the right first, one that receives from both sides takes from the left first.
/// Returns: the number of steps; the fewest possible if no cell sends both ways or receives from
///   both sides. No step is idle: K grows by at most 1 from link to link, so a link begins no later
///   than the one before it ends; D likewise; and if two windows make up all steps, one begins when
///   the other ends. Cost O(n); `links` gets n - 1 entries.
Step make_timetable(std::span<const Tokens> supply, std::span<const Tokens> targets,
                    std::vector<LinkTimes>& links);

/// The two-sided off-line complexity of a line, T_off2: the fewest steps after which every cell has
/// floor(N/n) or ceil(N/n) tokens, by the static bound, which lines attain: no cell gains or loses,
/// and no link carries, more than one token a step. Cost: O(n log N).
[[nodiscard]] Step fewest_steps(std::span<const Tokens> supply);

}  // namespace equipoise::load
