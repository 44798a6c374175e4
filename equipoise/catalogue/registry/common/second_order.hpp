#pragma once
// What processes of second order share: the parameter beta, its best value, and the notes of a run.

#include "equipoise/analysis/convergence.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"

namespace equipoise::catalogue {

/// The parameter `beta`; if it is 0 the second eigenvalue decides.
[[nodiscard]] Parameter beta_parameter();

/// The beta with which an idealised process shrinks fastest, 2 / (1 + sqrt(1 - lambda^2)).
[[nodiscard]] double best_beta(double lambda);

/// Plays a run and notes beta, the eigenvalue if it is known, and the smallest load of the run:
/// flows of second order may exceed what a node has.
[[nodiscard]] engine::RoundOutcome play_second_order(const Task& task, double beta,
                                                     const analysis::Convergence& convergence,
                                                     const engine::RoundOptions& options,
                                                     model::Notes& notes, const Play& play);

}  // namespace equipoise::catalogue
