#pragma once
// Leaves out of lists of moves to wait for what follows from others.

#include "equipoise/reassign/checks/waits.hpp"

namespace equipoise::reassign {

/// The transitive reduction: takes out of every list the moves that others of the list wait for, by
/// way of others perhaps. Moves wait for moves with lower numbers only, and lists are ascending.
/// Cost O(moves waits / 64) steps and 512 bytes a move; of more than 200,000 moves nothing is left
/// out.
void reduce(WaitsFor& waits_for);

}  // namespace equipoise::reassign
