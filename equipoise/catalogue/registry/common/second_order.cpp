#include "equipoise/catalogue/registry/common/second_order.hpp"

#include <cmath>

#include "equipoise/catalogue/registry/common/idealised.hpp"

namespace equipoise::catalogue {

Parameter beta_parameter() {
    Parameter beta =
        real_parameter("beta", "0", {0, 2},
                       "from 1 to below 2; 0: the best one, 2 / (1 + sqrt(1 - lambda^2)), from the "
                       "second eigenvalue lambda, computed once");
    beta.accepts = [](double number) { return number == 0 || (number >= 1 && number < 2); };
    beta.expected = "0 (computed from the second eigenvalue) or a number from 1 to below 2";
    return beta;
}

double best_beta(double lambda) {
    return 2 / (1 + std::sqrt(1 - lambda * lambda));
}

engine::RoundOutcome play_second_order(const Task& task, double beta,
                                       const analysis::Convergence& convergence,
                                       const engine::RoundOptions& options, model::Notes& notes,
                                       const Play& play) {
    engine::RoundOutcome outcome = play(options);
    notes.constants["beta"] = to_text(beta);
    note_least_load(task, outcome, notes);
    if (convergence.lambda)
        notes.constants["second_eigenvalue"] = to_text(convergence.lambda->value);
    return outcome;
}

}  // namespace equipoise::catalogue
