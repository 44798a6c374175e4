#include "equipoise/protocols/diffusion.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/theory/diffusion.hpp"

namespace equipoise::catalogue::entries::diffusion {

namespace {

using analysis::DiffusionMatrix;
using protocols::Diffusion;
using protocols::WeightedDiffusion;

enum class Weights : std::uint8_t { metropolis, uniform, matrix };

/// On regular networks Metropolis weights are the uniform ones.
Weights weights_of(const Task& task) {
    const std::string& word = task.parameters.word("weights");
    if (word == "uniform") return Weights::uniform;
    if (word == "matrix" || (word == "auto" && task.weights != nullptr)) return Weights::matrix;
    return Weights::metropolis;
}

network::RoundWeights round_weights(const Task& task) {
    if (weights_of(task) == Weights::matrix) return *task.weights;
    const network::AnyNetwork& network = task.facts.network();
    return even_weights(
        network, weights_of(task) == Weights::uniform ? Tokens{network.degree_max()} + 1 : 0);
}

WeightedLinks weighted_links(const Task& task) {
    return catalogue::weighted_links(task.facts.network(), round_weights(task));
}

bool is_symmetric(const Task& task) {
    return weights_of(task) != Weights::matrix ||
           task.weights->size() == task.facts.network().link_count();
}

bool rounds_transfers(const Task& task) {
    return task.parameters.word("rounding") == "down";
}

/// Whether tokens may move for ever, and loads beyond the extremes of those before.
bool may_circulate(const Task& task) {
    return !is_symmetric(task) || rounds_transfers(task);
}

const analysis::Convergence& convergence_of(const Task& task) {
    switch (weights_of(task)) {
        case Weights::metropolis:
            return metropolis_convergence(task);
        case Weights::uniform:
            return uniform_convergence(task);
        case Weights::matrix:
            break;
    }
    const network::AnyNetwork& network = task.facts.network();
    return task.facts.convergence("diffusion: " + network::to_text(*task.weights), [&] {
        return diffusion_convergence(network, weighted_links(task));
    });
}

Tokens divisor_max(const Task& task) {
    if (weights_of(task) != Weights::matrix) return Tokens{task.facts.network().degree_max()} + 1;
    return weighted_links(task).divisor_max();
}

/// Theorem 2. If two transfers are rounded down, their rounding errors have opposite signs.
std::optional<double> deviation_bound(const Task& task) {
    const std::optional<double> psi = convergence_of(task).divergence_upper();
    if (!psi) return std::nullopt;
    return theory::diffusion_deviation(*psi, divisor_max(task));
}

/// Theorem 2 with the bound on Psi of Theorem 4. For k rounds together that bound holds for every
/// kth round, starting with any of the first k.
std::optional<double> deviation_by_gap(const Task& task) {
    const analysis::Convergence& convergence = convergence_of(task);
    const std::optional<double> gap = convergence.gap();
    if (!gap) return std::nullopt;
    const network::AnyNetwork& network = task.facts.network();
    const double divergence =
        static_cast<double>(convergence.rounds) *
        theory::local_divergence_bound(network.node_count(), network.degree_max(), *gap,
                                       is_symmetric(task));
    return theory::diffusion_deviation(divergence, divisor_max(task));
}

/// With speeds, or if the local divergence is not known, a run goes on until it is frozen.
bool runs_until_frozen(const Task& task) {
    if (!task.speeds.empty()) return true;
    return weights_of(task) != Weights::matrix && !may_circulate(task) && !deviation_bound(task);
}

void expect_suitable(const Task& task) {
    expect_connected(task);
    const std::string& word = task.parameters.word("weights");
    if (word == "matrix" && task.weights == nullptr)
        throw UnsuitableError("weights=matrix needs a matrix: expected --matrix FILE");
    if (word != "matrix" && word != "auto" && task.weights != nullptr)
        throw UnsuitableError("--matrix gives the weights: expected weights=matrix, found " + word);
    if (weights_of(task) == Weights::matrix)
        expect_levelling(
            rounds_that_mix(task.facts.network().node_count(), weighted_links(task)).has_value(),
            "these weights");
    if (!task.speeds.empty() && may_circulate(task))
        throw UnsuitableError(
            "--speeds are for symmetric weights and net flows: expected rounding=net and, in "
            "--matrix, equal weights in both directions");
}

/// Whether waiting for Theorem 1's rounds takes no more than minutes.
bool rounds_affordable(const Task& task) {
    constexpr double link_visits = 2e11;
    const std::optional<Step> rounds = smoothing_rounds(task, convergence_of(task));
    return rounds &&
           static_cast<double>(*rounds) *
                   static_cast<double>(links_visited(task.facts.network().link_count())) <=
               link_visits;
}

model::Guarantee promise(const Task& task) {
    if (may_circulate(task) && !rounds_affordable(task)) return {};
    if (const std::optional<double> deviation = deviation_bound(task))
        return smoothing_promise(task, convergence_of(task), *deviation, 1);
    if (!runs_until_frozen(task))
        return promise_by_gap(task, convergence_of(task), deviation_by_gap(task), 1);
    return {
        theory::frozen_discrepancy(divisor_max(task), task.facts.diameter().upper),
        {},
        "the state it ends in: frozen, so that neighbours differ by at most the largest degree"};
}

/// Tokens may circulate for ever: if Theorem 1's rounds are not known or take too long, the run
/// ends after some seconds.
DefaultStop default_stop(const Task& task) {
    if (runs_until_frozen(task)) return stop_when_quiet(1);
    if (!may_circulate(task) || rounds_affordable(task))
        return stop_quiet_or_smooth(task, convergence_of(task), 1, 1);
    DefaultStop stop = stop_when_quiet(1);
    stop.rule.steps_max = steps_affordable(task);
    return stop;
}

/// Metropolis weights work on any network.
struct Make {
    std::variant<Diffusion, WeightedDiffusion> operator()(const Task& task) const {
        if (!rounds_transfers(task) && weights_of(task) == Weights::metropolis) return Diffusion(0);
        if (!rounds_transfers(task) && weights_of(task) == Weights::uniform)
            return Diffusion(divisor_max(task));
        const network::RoundWeights given = round_weights(task);
        const LinkId links = task.facts.network().link_count();
        std::vector<WeightedDiffusion::Weight> weights;
        for (LinkId link = 0; link < links; ++link) {
            const network::Weight& forth = given[link];
            const network::Weight& back = given[is_symmetric(task) ? link : links + link];
            const Tokens common = std::lcm(forth.denominator, back.denominator);
            weights.push_back({common / forth.denominator * forth.numerator,
                               common / back.denominator * back.numerator, common});
        }
        return WeightedDiffusion(std::move(weights), rounds_transfers(task)
                                                         ? WeightedDiffusion::Rounding::down
                                                         : WeightedDiffusion::Rounding::net);
    }
    std::optional<Diffusion> operator()(const Parameters& parameters) const {
        const std::string& weights = parameters.word("weights");
        const bool metropolis = weights == "auto" || weights == "metropolis";
        if (!metropolis || parameters.word("idealised") == "yes" ||
            parameters.word("rounding") != "net")
            return std::nullopt;
        return Diffusion(0);
    }
};

engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    if (!task.speeds.empty()) return play(options);
    note_convergence(convergence_of(task), notes);
    if (!task.with_deviation) return play(options);
    WeightedLinks weighted = weighted_links(task);
    DiffusionMatrix matrix = weighted.matrix(task.facts.network().node_count());
    const analysis::TokenRule rule{
        .quiet_steps = 1, .memoryless = true, .within_extremes = !may_circulate(task)};
    return play_beside(task, options, {std::move(matrix), std::move(weighted.weights), rule},
                       deviation_bound(task), notes, play);
}

}  // namespace

Algorithm entry() {
    return {
        .name = "diffusion",
        .after = "deal-agreement-3",
        .title = "first-order diffusion: over every link the weighted difference, rounded down",
        .source =
            theory::cite(theory::papers::rabani, "Sections 1 and 3; Cybenko 1989; Boillat 1990"),
        .model = StepModel::multi_port,
        .parameters = {word_parameter(
                           "weights", {"auto", "metropolis", "uniform", "matrix"},
                           "metropolis: 1 / (max(deg u, deg v) + 1), uniform: 1 / (largest degree "
                           "+ 1), matrix: those of --matrix FILE, auto: the file's where one is "
                           "given, else metropolis (on regular networks the uniform 1 / (d + 1))"),
                       word_parameter("rounding", {"net", "down"},
                                      "what is rounded down: the net flow of a link (net), or what "
                                      "each end sends the other (down)"),
                       idealised_parameter()},
        .guarantee =
            "discrepancy at most floor(1 + 2 (q-1)/q Psi(P^T)) after (2 / gap) ln(K N^2) steps, q "
            "the largest divisor; where Psi would take long to compute, (q-1) times the diameter "
            "when frozen or, for --matrix and rounding=down, by the gap alone",
        .stop = "no token moved in a step (frozen), or after the steps of Theorem 1",
        .anytime = true,
        .serves_speeds = true,
        .takes_weights = true,
        .measures_deviation = true,
        .load_scale = idealised_scale,
        .expect_suitable = expect_suitable,
        .promise = promise,
        .default_stop = default_stop,
        .stop_by_rows = stop_after_quiet_round,
        .rounds = plays(Make{}, all_links()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::diffusion
