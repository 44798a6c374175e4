#pragma once
// What diffusions and circuits share: the idealised process, played beside the tokens or instead of
// them.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "equipoise/analysis/deviation.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/convergence.hpp"
#include "equipoise/model/run/schedule.hpp"
#include "equipoise/network/io/round_files.hpp"

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

/// The weights 1 / `divisor` on every link; with `divisor` 0 Metropolis weights, 1 / (max(deg u,
/// deg v) + 1).
[[nodiscard]] network::RoundWeights even_weights(const network::AnyNetwork& network,
                                                 Tokens divisor);

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

/// The first-order diffusion that a rule follows.
struct Followed {
    Tokens divisor = 0;  ///< as of `even_weights`
    /// By how many tokens the flow over a link may differ, in any step, from the idealised flow
    /// between the same loads; nothing: no bound is proved.
    std::optional<double> rounding = {};
    /// By default that of rules which end by the clock: they are judged until then.
    analysis::TokenRule rule = {.within_extremes = false, .for_ever = false};
};

/// Plays a rule, beside the diffusion that it follows if a deviation is asked for. By the proof of
/// Theorem 2 the deviation is at most `rounding` times the local divergence.
[[nodiscard]] engine::RoundOutcome play_beside_diffusion(const Task& task,
                                                         const engine::RoundOptions& options,
                                                         const Followed& followed,
                                                         model::Notes& notes, const Play& play);

/// The same for a rule that follows diffusion of second order (`divisor` as above), until it ends.
[[nodiscard]] engine::RoundOutcome play_beside_second_order(const Task& task,
                                                            const engine::RoundOptions& options,
                                                            Tokens divisor,
                                                            analysis::SecondOrder order,
                                                            model::Notes& notes, const Play& play);

/// The links of a schedule that finds them by its step alone.
template <model::ListSchedule S>
[[nodiscard]] analysis::PairsOfStep pairs_of(S schedule) {
    return [held = std::make_shared<S>(std::move(schedule))](Step step) {
        held->prepare(step);
        return held->links(step);
    };
}

/// A balancing circuit whose tokens stray by at most half a token, or (q - 1) / q, a balancer.
struct FollowedCircuit {
    analysis::CircuitMatrix matrix;
    std::string name;          ///< the same for the same circuit of the task's network
    bool natural = false;      ///< the network's natural matchings
    Tokens share_divisor = 2;  ///< q
    analysis::TokenRule rule = {};
};

/// Plays a rule, beside the idealised circuit if a deviation is asked for. Theorem 2 bounds it when
/// a round is over; after another step, the same theorem for the circuit that begins a round with
/// the step that follows.
[[nodiscard]] engine::RoundOutcome play_beside_circuit(const Task& task,
                                                       const engine::RoundOptions& options,
                                                       const FollowedCircuit& followed,
                                                       model::Notes& notes, const Play& play);

/// Throws UnsuitableError if a deviation is requested for a process that has none.
void expect_deviation_makes_sense(const Task& task);

/// Throws UnsuitableError unless the idealised process levels all loads. Judged by the links, since
/// a gap that is merely small is not 0.
void expect_levelling(bool levels, const std::string& what);

}  // namespace equipoise::catalogue
