#pragma once
// The best times to balance, computed in hindsight.
//
// Problem: step s = 1 .. n takes T(b, s) seconds if the last balance was made after step b < s
// (b = 0: none yet), and a balance after step b costs C(b). Choose the steps after which to balance
// so that steps and balances take the least time together.
// Method: dynamic programming over the last balance. Let F(b) be the least time until the end of
// step b with a balance there, F(0) = 0; then F(b) = C(b) + min over a < b of F(a) + T(a, a + 1) +
// ... + T(a, b), and the answer is the least of F(a) + T(a, a + 1) + ... + T(a, n).
// Guarantee: exact, since what a step takes depends on nothing but the last balance.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace equipoise::placement {

/// When to balance, and how long steps and balances then take together.
struct Schedule {
    double seconds = 0;
    std::vector<std::size_t> balances;  ///< the steps (the first is 1) after which to balance
};

/// Fills in the seconds of the steps `after` + 1, `after` + 2, ..., one for each place, if the last
/// balance was made after step `after`.
using SecondsOfSteps = std::function<void(std::size_t after, std::span<double> seconds)>;

/// The best schedule; among equally good ones, one whose last cycle begins earliest. `costs[b - 1]`
/// are the seconds of a balance after step b; there is one for each step, though the last is not
/// used. `seconds_of_steps` is called once for every `after` from 0 to n - 1, in this order. Memory
/// O(n), time O(n^2).
[[nodiscard]] Schedule best_schedule(std::span<const double> costs,
                                     const SecondsOfSteps& seconds_of_steps);

}  // namespace equipoise::placement
