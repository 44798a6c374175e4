#pragma once
// What diffusions and circuits share: the idealised process, played beside the tokens or instead of
// them.

#include <optional>
#include <string>

#include "equipoise/analysis/deviation.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/convergence.hpp"

namespace equipoise::catalogue {

/// `idealised=yes` runs the real-valued process in fixed point.
[[nodiscard]] Parameter idealised_parameter();

/// Units per token for `idealised=yes`: 2 to the number of bits below the token for which the loads
/// leave room, at most 24 bits; otherwise 1.
[[nodiscard]] std::uint64_t idealised_scale(const Task& task);

/// A number as reports show it.
[[nodiscard]] std::string to_text(double value);

/// The convergence of first-order diffusion with Metropolis weights, and with 1 / (largest degree +
/// 1) on every link; on regular networks they are the same. Computed once for the facts.
[[nodiscard]] const analysis::Convergence& metropolis_convergence(const Task& task);
[[nodiscard]] const analysis::Convergence& uniform_convergence(const Task& task);

/// Notes the smallest load of a run whose rule lets loads fall below 0, in tokens; nothing if it is
/// not known.
void note_least_load(const Task& task, const engine::RoundOutcome& outcome, model::Notes& notes);

/// Notes eigenvalue and local divergence, as far as they are known.
void note_convergence(const analysis::Convergence& convergence, model::Notes& notes);

/// An addition to the source of a promise: that the eigenvalue is for several rounds together, if
/// it is, and that it is computed but not certified.
[[nodiscard]] std::string certainty(const analysis::Convergence& convergence);

/// Theorem 1's rounds until the idealised process is 1-smooth, at least 1; nothing without a gap.
/// For a gap of k rounds together, the theorem is applied to their matrix.
[[nodiscard]] std::optional<Step> smoothing_rounds(const Task& task,
                                                   const analysis::Convergence& convergence);

/// Corollary 3 with constants: after Theorem 1's rounds, of `round_length` steps each. `deviation`
/// is the bound of Theorem 2.
[[nodiscard]] model::Guarantee smoothing_promise(const Task& task,
                                                 const analysis::Convergence& convergence,
                                                 double deviation, Step round_length);

/// Corollary 5 with constants: the same with a deviation that follows from the gap alone; nothing
/// without a gap, or if it promises no more than the loads fulfil at the start.
[[nodiscard]] model::Guarantee promise_by_gap(const Task& task,
                                              const analysis::Convergence& convergence,
                                              std::optional<double> deviation, Step round_length);

/// Ends when quiet or after Theorem 1's rounds, whichever comes first.
[[nodiscard]] DefaultStop stop_quiet_or_smooth(const Task& task,
                                               const analysis::Convergence& convergence,
                                               Step quiet_steps, Step round_length);

/// Plays the idealised process beside the tokens and notes the largest deviation at any time, with
/// its error. If the tokens are frozen, the idealised process goes on alone; otherwise both are
/// played again, from the start and past the run's end, until the deviation is known. Takes at most
/// seconds more than the run itself; the error covers what is still unknown then.
[[nodiscard]] engine::RoundOutcome play_beside(const Task& task,
                                               const engine::RoundOptions& options,
                                               analysis::DeviationObserver deviation,
                                               std::optional<double> deviation_bound,
                                               model::Notes& notes, const Play& play);

/// Throws UnsuitableError if a deviation is requested for a process that has none.
void expect_deviation_makes_sense(const Task& task);

/// Throws UnsuitableError unless the idealised process levels all loads. Judged by the links, since
/// a gap that is merely small is not 0.
void expect_levelling(bool levels, const std::string& what);

}  // namespace equipoise::catalogue
