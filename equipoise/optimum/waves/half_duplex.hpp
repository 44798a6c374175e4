#pragma once
// Transfers with fixed ends in few waves, where what a node gives and takes counts together.

#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

// Problem: split transfers into few waves in each of which node v takes part in at most c_v units,
//   given and taken ones together.
// Model: bundles of equal units, each from one node to another; node v has d_v units in all.
// Source: Kari, Kim, Russell 2011 (arXiv:1010.4018) for even c_v: transfers are turned along Euler
//   tours, so that each node has at most ceil(d_v / 2) on either side, and split by Koenig's
//   theorem (colouring.hpp) with c_v / 2 on either side. Turning only serves to choose waves. For
//   odd c_v: list scheduling (Graham 1966); c_v rounded down to even numbers; pairs of waves, with
//   2 c_v, which are then taken apart; and units put into waves one by one, where two waves may
//   change places along an alternating trail (Kempe 1879, Vizing 1964). What needs the fewest waves
//   counts.
// Guarantee: max ceil(d_v / c_v) waves, which is exact, if all c_v are even, or if that number is
//   the same with odd c_v rounded down. Otherwise less than twice as many: in each wave of a list
//   in which a transfer waits, one of its ends is full.
// Cost: for even numbers as `split_into_waves`; for odd ones O(waves * bundles), and a bounded
//   number of steps along trails.

/// The bundles of each wave. `at_most`: c_v by node, at least 1 where there are transfers.
[[nodiscard]] std::vector<std::vector<FatMove>> split_for_half_duplex(
    std::span<const FatMove> bundles, const std::vector<Tokens>& at_most);

// Problem: how many waves any such split has at least.
// Source: d_v / c_v, and for sets S of nodes the transfers within S over floor(c(S) / 2) (as
//   Shannon 1949 has it for triangles; Edmonds 1965). Tried are triangles and, in each component,
//   what is left when nodes with few transfers are taken away one by one.
// Guarantee: holds if units go straight to their ends. By way of other nodes they may need fewer
//   waves where c(S) is odd.
// Cost O(bundles log bundles), and a bounded number of triangles.
[[nodiscard]] Step half_duplex_waves_at_least(std::span<const FatMove> bundles,
                                              const std::vector<Tokens>& at_most);

}  // namespace equipoise::optimum
