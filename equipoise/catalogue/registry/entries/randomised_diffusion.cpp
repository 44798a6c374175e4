#include "equipoise/protocols/baselines/randomised_diffusion.hpp"

#include <optional>

#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/common/smoothing.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/for_steps.hpp"
#include "equipoise/theory/diffusion.hpp"

namespace equipoise::catalogue::entries::randomised_diffusion {

namespace {

Tokens divisor(const Task& task) {
    return Tokens{task.facts.network().degree_max()} + 1;
}

/// Corollary 3 for a process whose transfers are each rounded, up or down, with this local
/// divergence.
std::optional<Tokens> discrepancy_by(const Task& task, double divergence) {
    const std::optional<double> smoothness =
        smoothness_at_end(task, uniform_convergence(task), divisor(task),
                          theory::diffusion_deviation(divergence, divisor(task)));
    if (!smoothness) return std::nullopt;
    return theory::token_discrepancy(*smoothness,
                                     theory::transfer_deviation(divergence, divisor(task)));
}

model::Guarantee promise(const Task& task) {
    const analysis::Convergence& convergence = uniform_convergence(task);
    const std::optional<double> gap = convergence.gap();
    if (!gap) return {};
    const std::optional<double> psi = convergence.divergence_upper();
    const std::optional<Tokens> bound = discrepancy_by(
        task, psi ? *psi
                  : theory::local_divergence_bound(task.loads.size(),
                                                   task.facts.network().degree_max(), *gap, true));
    // The bound from the gap alone is often no better than the loads at the start.
    if (!bound || (!psi && *bound >= load::discrepancy(task.loads))) return {};
    return {bound,
            {},
            theory::cite_theorem(theory::papers::rabani, psi ? "Corollary 3" : "Corollary 5") +
                " for single transfers (constants worked out)" + certainty(convergence)};
}

auto make(const Task& task, const engine::RoundOptions& options, model::Notes& notes) {
    const network::AnyNetwork& network = task.facts.network();
    // On regular networks Metropolis weights are the uniform ones.
    const bool regular = network.degree_min() == network.degree_max();
    return protocols::ForSteps(protocols::baselines::RandomisedDiffusion(network.degree_max()),
                               smoothing_steps(task, regular ? 0 : divisor(task), options, notes));
}

engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    const Followed uniform{divisor(task), theory::transfer_deviation(1, divisor(task))};
    return play_beside_diffusion(task, options, uniform, notes, play);
}

}  // namespace

Algorithm entry() {
    return {
        .name = "randomised-diffusion",
        .after = "quasirandom-diffusion",
        .title = "randomised diffusion: equal shares, excess tokens to distinct random neighbours",
        .source =
            "Berenbrink, Cooper, Friedetzky, Friedrich, Sauerwald 2011 (confirmed in a "
            "public text)",
        .model = StepModel::multi_port,
        .parameters = {rounds_parameter()},
        .guarantee =
            "loads never become negative; discrepancy at most floor(1 + 4 (q-1)/q Psi(P)), q the "
            "largest degree plus 1, once the idealised loads differ by at most 1; where Psi would "
            "take long to compute, by the gap alone or none; far less with high probability",
        .stop = "after the given rounds, or when the idealised diffusion is 1-smooth",
        .measures_deviation = true,
        .promise = promise,
        .rounds = plays(make, neighbours()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::randomised_diffusion
