#pragma once
// The number of steps of rules that end by the clock.

#include <optional>

#include "equipoise/analysis/convergence.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"

namespace equipoise::catalogue {

/// The parameter `rounds`; if it is 0 the idealised process decides.
[[nodiscard]] Parameter rounds_parameter();

/// Plays first-order diffusion with flows rounded towards zero. `divisor` 0: Metropolis weights,
/// else 1 / divisor on every link.
[[nodiscard]] engine::RoundOutcome play_diffusion(Tokens divisor, const Task& task,
                                                  const engine::RoundOptions& options);

/// `rounds`, or the steps until the idealised first-order diffusion (`divisor` as above) has become
/// 1-smooth from the task's loads, which are at most (2 / gap) ln(K n^2) (Rabani, Sinclair, Wanka
/// 1998, Theorem 1). Found by simulating the diffusion in fixed point with at most 20 bits below
/// the token, once for all algorithms on the same facts and loads; if the fixed-point process
/// stands still earlier, the steps until then. Notes the number if it was found this way. Costs
/// that number of steps of diffusion.
[[nodiscard]] Step smoothing_steps(const Task& task, Tokens divisor,
                                   const engine::RoundOptions& options, model::Notes& notes);

/// The steps until an idealised process is 1-smooth from the task's loads, or stands still as
/// `standstill` says: the rule `ideal` is played in fixed point with at most 20 bits below the
/// token, in the given links with the run's seed. Nothing if it is interrupted.
[[nodiscard]] std::optional<Step> steps_until_smooth(const Task& task, const AnyRule& ideal,
                                                     const Links& links,
                                                     const model::StopRule& standstill,
                                                     const engine::RoundOptions& options);

/// How far apart, in tokens, idealised loads are at most after `smoothing_steps`. `convergence` is
/// that of the idealised diffusion, every weight of which is at least 1 / `divisor_max`.
/// `deviation` bounds its distance from the process whose flows are rounded towards zero, in units
/// of those flows. Nothing if `rounds` are given and fewer than Theorem 1's.
[[nodiscard]] std::optional<double> smoothness_at_end(const Task& task,
                                                      const analysis::Convergence& convergence,
                                                      Tokens divisor_max, double deviation);

/// The steps until first-order diffusion with Metropolis weights and flows rounded towards zero
/// stands still; found by simulating it.
[[nodiscard]] Step frozen_steps(const Task& task, const engine::RoundOptions& options);

}  // namespace equipoise::catalogue
