#pragma once
// Problem: balance every submesh of side about 2dt on its own, in time that depends on t and on the
//          logarithm of the maximum load.
// Source:  Meyer auf der Heide, Oesterdiekhoff, Wanka 1996, Section 4, Algorithm Local-TD(T).
// Guarantee: after O(d^3 log k t) steps every submesh has discrepancy 1, if t is at least the
//          two-sided off-line complexity; then the whole mesh is 1-exact by Lemma 3.
// Deviations: submeshes are parts of one halving tree per axis for all t and all passes, so that a
//          round never moves tokens out of the submeshes of the next (any sides); submeshes whose
//          maximum is at most 2 are balanced at once, and those of discrepancy 1 are left; parts
//          are never smaller than one cell; 2^d parts are combined at a time, by the array
//          algorithm along each axis in turn; a combined part whose discrepancy exceeds
//          4dt/h + 3 (h: least side of its cut parts) proves that t is too small and stops.

#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/mesh/box.hpp"
#include "equipoise/mesh/clock.hpp"
#include "equipoise/mesh/halving.hpp"
#include "equipoise/mesh/workspace.hpp"

namespace equipoise::mesh {

/// Local-TD(t) on a box, t >= 1. All submeshes are at work at the same time; the clock shows when
/// the last of them is done.
void local_token_distribution(Workspace& work, const Box& box, Step t, Layer& tokens, Clock& clock);

/// The levels of the parts that Local-TD(t) balances in a submesh whose largest load is `most`:
/// first those of Phase 2, then those of the combined parts after each pass of Phase 3. The last
/// are the levels of the submeshes themselves. Parts are at least 2^l (2dt/k_S) wide, l = 1, 2,
/// ..., up to 2dt.
[[nodiscard]] std::vector<Levels> pass_levels(const Box& box, Step t, Tokens most);

/// The least side of submeshes of Local-TD(t), if the box is that long: 2dt.
[[nodiscard]] Step submesh_side(const Box& box, Step t);

}  // namespace equipoise::mesh
