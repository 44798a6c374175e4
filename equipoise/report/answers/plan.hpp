#pragma once
// Plans in words, as CSV and as JSON.

#include <cstddef>
#include <string>

#include "equipoise/network/any_network.hpp"
#include "equipoise/optimum/plan.hpp"

namespace equipoise::report {

/// What the text says besides the plan's figures.
struct PlanWords {
    std::string target = {};     ///< as asked for
    bool is_mean = false;        ///< whether every node is to end with floor or ceiling of the mean
    std::string schedule = {};   ///< the file that it was to be written to; empty: none
    bool no_schedule = false;    ///< it was not written there, for a reason that is said below
    bool explain = false;        ///< also why no schedule is shorter
    std::string windows = {};    ///< the file that the proofs were to be written to; empty: none
    bool no_windows = false;     ///< as no_schedule
    std::size_t text_width = 0;  ///< of lines; 0: no limit
};

/// The plan's figures, one line each; with `explain` also why no schedule is shorter. Ends with a
/// newline.
[[nodiscard]] std::string plan_text(const optimum::Plan& plan, const optimum::Problem& problem,
                                    const network::AnyNetwork& named, const PlanWords& words);

/// Why no schedule can be shorter, in words: which nodes hold too many tokens, and how few of these
/// can leave in a step; for flows over time also why the plan's steps are enough. Ends with a
/// newline.
[[nodiscard]] std::string explain(const optimum::Plan& plan, const optimum::Problem& problem,
                                  const network::AnyNetwork& names);

/// The plan for scripts: bound, steps, exact (or steps_at_least and steps_at_most), target,
/// certificate, schedule as [step, from, to] or, if it was not written out, windows as [from, to,
/// first step, steps, tokens], exchanges. Nodes are given by number if the network's nodes are
/// numbered, otherwise by name. Ends with a newline.
[[nodiscard]] std::string plan_json(const optimum::Plan& plan, const optimum::Problem& problem,
                                    const network::AnyNetwork& names, const std::string& target);

/// Writes `step,from,to`, one line a move, to a temporary file that is then renamed.
/// Throws InputError when the plan has no schedule written out.
void write_schedule_csv(const std::string& path, const optimum::Plan& plan,
                        const network::AnyNetwork& names);

}  // namespace equipoise::report
