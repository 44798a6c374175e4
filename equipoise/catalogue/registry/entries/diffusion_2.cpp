#include "equipoise/protocols/diffusion_2.hpp"

#include <algorithm>
#include <cmath>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/common/second_order.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/theory/diffusion.hpp"

namespace equipoise::catalogue::entries::diffusion_2 {

namespace {

double lambda_of(const Task& task) {
    return metropolis_convergence(task).lambda ? metropolis_convergence(task).lambda->value : 1;
}

/// The given beta, or the best one for the second eigenvalue.
double beta_of(const Task& task) {
    const double given = task.parameters.real("beta");
    if (given > 0) return given;
    return best_beta(lambda_of(task));
}

/// The factor by which a step shrinks the idealised error: the largest root of
/// r^2 - beta lambda r + (beta - 1).
double shrinkage(double beta, double lambda) {
    const double half = beta * lambda / 2;
    const double discriminant = half * half - (beta - 1);
    return discriminant <= 0 ? std::sqrt(beta - 1) : half + std::sqrt(discriminant);
}

void expect_suitable(const Task& task) {
    expect_connected(task);
    if (task.parameters.real("beta") == 0 && task.facts.network().link_count() > 0 &&
        !metropolis_convergence(task).gap())
        throw UnsuitableError(
            "diffusion-2: the second eigenvalue of this network is not known: beta must be given "
            "(--param beta=VALUE)");
}

/// Two quiet steps: no flow is remembered, and these loads cause none.
DefaultStop default_stop(const Task& task) {
    DefaultStop stop = stop_when_quiet(2);
    const double factor = shrinkage(beta_of(task), lambda_of(task));
    if (metropolis_convergence(task).gap() && factor < 1) {
        stop.rule.steps_max =
            std::max<Step>(2, theory::idealised_smoothing_rounds(
                                  task.loads.size(), load::discrepancy(task.loads), 1 - factor, 1));
        stop.cap_means = "smoothing-rounds";
    }
    return stop;
}

protocols::Diffusion2 make(const Task& task) {
    return protocols::Diffusion2(beta_of(task));
}

engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    const analysis::SecondOrder order{make(task).held_beta()};
    return play_second_order(task, beta_of(task), metropolis_convergence(task), options, notes,
                             [&](const engine::RoundOptions& as) {
                                 return play_beside_second_order(task, as, 0, order, notes, play);
                             });
}

}  // namespace

Algorithm entry() {
    return {
        .name = "diffusion-2",
        .after = "diffusion",
        .title =
            "second-order diffusion: every link remembers its last flow; loads may fall below 0",
        .source = "Muthukrishnan, Ghosh, Schultz 1996/1998",
        .model = StepModel::multi_port,
        .needs = "a connected network; beta must be given on networks of more than 50,000 links",
        .parameters = {beta_parameter(), idealised_parameter()},
        .guarantee =
            "none for tokens; the idealised error shrinks by about sqrt(beta - 1) per step",
        .stop =
            "no token moved in two steps, or after as many steps as the idealised process needs to "
            "become smooth",
        .loads_may_be_negative = true,
        .measures_deviation = true,
        .load_scale = idealised_scale,
        .expect_suitable = expect_suitable,
        .default_stop = default_stop,
        .rounds = plays(make, all_links()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::diffusion_2
