#pragma once
// What the entries of polynomial schemes share.

#include "equipoise/analysis/polynomial_plan.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"

namespace equipoise::catalogue {

/// The facts about a task's loads and network that bounds need.
[[nodiscard]] analysis::SchemeStart scheme_start(const Task& task);

/// The promise, after these rounds, of half the sum of the two largest degrees plus the spread of
/// the idealised loads; proved in docs/results/polynomial-schemes.md.
[[nodiscard]] model::Guarantee imitation_promise(const Task& task, double spread, Step rounds,
                                                 const char* theorems);

/// Plays a scheme and notes its rounds and the smallest load that occurred.
[[nodiscard]] engine::RoundOutcome play_scheme(const Task& task,
                                               const engine::RoundOptions& options,
                                               model::Notes& notes, Step rounds, const Play& play);

}  // namespace equipoise::catalogue
