#pragma once
// Bounds of Meyer auf der Heide, Oesterdiekhoff, Wanka 1996 for token distribution, repaired, as
// functions of numbers: p processors, N tokens, largest load k, m = ceil(N/p), meshes of d
// dimensions. In a step a processor sends one token and receives one.

#include <cstdint>
#include <span>

#include "equipoise/base/tokens.hpp"

namespace equipoise::theory {

/// Theorem 1(b), sharpened: a best schedule to at most m tokens a processor takes at most
/// B + min(max(0, p - 2), empty) steps, where B = max ceil((I(X) - m |X|) / match(X)) is Theorem
/// 1(a)'s bound and `empty` the number of processors without tokens.
[[nodiscard]] std::uint64_t off_line_steps_bound(std::uint64_t static_bound,
                                                 std::uint64_t node_count, std::uint64_t empty);

/// tau(B, w): the most steps of any problem with the bound B = `static_bound` and the surplus w =
/// sum of max(0, l(v) - m): the number of times that U := U - ceil(U / B) takes U from w to 0.
/// Attained for m = 1 (docs/results/meyer-1996.md). `static_bound` >= 1 if w > 0. Cost O(tau).
[[nodiscard]] std::uint64_t most_steps(std::uint64_t static_bound, Tokens surplus);

/// The largest tau(B, w) - B of p processors with p tokens: w of them are empty, and those with a
/// surplus, at most B each, are w / B or more. Cost O(p^2 log p).
[[nodiscard]] std::uint64_t largest_excess(std::uint64_t node_count);

/// root = k a, where a is the side of the cube, cut off at the box, that N/k cells fill:
/// (N k^(d-1))^(1/d) on cubes. 0 for no sides or no tokens.
[[nodiscard]] double distribution_root(std::span<const std::uint64_t> sides, Tokens tokens,
                                       Tokens load_max);

/// Theorem 2(a), with its constant: on the mesh of d >= 1 dimensions and side n, some N tokens with
/// at most k on a processor take any algorithm at least
///   ceil((N - m a^d) / (d a^(d-1))) steps,   a = ceil((N/k)^(1/d)):
/// those that fill the corner cube of side a, out of which d a^(d-1) links lead. The printed order,
/// root, needs k >= 2 m, not only k >= 2 N / n^d: with one token on half of the processors there is
/// nothing to do. Throws UnsuitableError unless 0 < k <= N <= k n^d. Cost O(n).
[[nodiscard]] std::uint64_t weak_lower_bound(std::uint64_t side, std::uint64_t dimensions,
                                             Tokens tokens, Tokens load_max);

/// The order of steps of Theorem 2(b), without its constant, n the longest side: 2^d (root + n), or
/// d^2 (root + n) for the faster algorithm, which is as far as the repaired proof goes.
[[nodiscard]] double weak_order(std::span<const std::uint64_t> sides, Tokens tokens,
                                Tokens load_max);
[[nodiscard]] double faster_order(std::span<const std::uint64_t> sides, Tokens tokens,
                                  Tokens load_max);

/// The order of steps of Theorem 3, without its constant: d^3 max(1, ceil(log2 k)) max(1, T), T the
/// fewest steps after which every load is floor or ceiling of the mean. (The printed T is
/// one-sided; if p does not divide N, that may be 0 where the algorithm needs Omega(p).)
[[nodiscard]] double strong_order(std::uint64_t dimensions, Tokens load_max,
                                  std::uint64_t fewest_steps);

}  // namespace equipoise::theory
