#include "equipoise/catalogue/registry/common/idealised.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "equipoise/analysis/closed_forms.hpp"
#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/structure/matchings.hpp"
#include "equipoise/theory/diffusion.hpp"

namespace equipoise::catalogue {

namespace {

using analysis::DeviationObserver;

/// Significant digits that are kept.
constexpr int digits = 6;

/// The number rounded to this many significant digits.
double rounded(double value, int significant) {
    if (value == 0 || !std::isfinite(value)) return value;
    const int exponent =
        significant - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double scale = std::pow(10.0, std::abs(exponent));
    return exponent >= 0 ? std::round(value * scale) / scale : std::round(value / scale) * scale;
}

/// If tokens are not frozen at the run's end they are played again from the start, since the rule
/// may have states of its own.
void play_tokens_on(const Task& task, const engine::RoundOptions& options, Step steps,
                    DeviationObserver& deviation, const Play& play) {
    constexpr std::uint64_t link_visits = 400'000'000;
    const Step further = link_visits / links_visited(task.facts.network().link_count()) + 1;
    std::stop_source enough;
    const std::stop_callback stopped(options.interrupt, [&] { enough.request_stop(); });
    deviation.ask_to_end(&enough);
    const std::vector<model::Observer*> observers = {&deviation};
    engine::RoundOptions on = options;
    on.observers = observers;
    on.interrupt = enough.get_token();
    on.stop = {};
    on.stop.own_termination = false;
    on.stop.steps_max = steps > ~Step{0} - further ? ~Step{0} : steps + further;
    static_cast<void>(play(on));
    deviation.ask_to_end(nullptr);
}

/// The deviation in the digits that reports show, and how far the truth may be from these.
void note_deviation(const DeviationObserver& deviation, std::optional<double> bound,
                    model::Notes& notes) {
    const double value = rounded(deviation.at_least(), digits);
    const double error = std::max({0.0, deviation.at_most() - value, value - deviation.at_least()});
    constexpr double rounded_up = 1.06;  // two digits are kept
    notes.deviation = {value, rounded(rounded_up * error, 2), std::nullopt, std::nullopt};
    if (!deviation.in_the_limit()) notes.deviation->step = deviation.largest_at();
    if (bound) notes.deviation->bound = rounded(*bound, digits);
}

/// An upper bound on the local divergence of the diffusion with `even_weights`. With q = d + 1 <= D
/// the matrix of 1 / D is P' = (1 - q / D) I + (q / D) P, P that of 1 / q. So the difference over a
/// link after t rounds of P' is the mean of those after k of t rounds of P, drawn one by one with
/// probability q / D; summed over t, each of them counts D / q times, at most.
std::optional<double> divergence_by(const Task& task, Tokens divisor) {
    const network::AnyNetwork& network = task.facts.network();
    if (divisor == 0) return metropolis_convergence(task).divergence_upper();
    const Tokens places = Tokens{network.degree_max()} + 1;
    if (divisor >= places) {
        std::optional<double> divergence = uniform_convergence(task).divergence_upper();
        if (divergence) *divergence *= static_cast<double>(divisor) / static_cast<double>(places);
        return divergence;
    }
    return task.facts
        .convergence("diffusion: 1/" + std::to_string(divisor),
                     [&] {
                         return diffusion_convergence(
                             network, weighted_links(network, even_weights(network, divisor)));
                     })
        .divergence_upper();
}

/// The diffusion with these weights and its exact weights.
WeightedLinks even_links(const Task& task, Tokens divisor) {
    const network::AnyNetwork& network = task.facts.network();
    return weighted_links(network, even_weights(network, divisor));
}

/// The largest local divergence of the transposed circuits that end a round with this step or any
/// other: for circuits with a closed form they are all alike.
analysis::Convergence at_any_step(const Task& task, const FollowedCircuit& followed) {
    const network::AnyNetwork& network = task.facts.network();
    analysis::Convergence result;
    if (followed.natural && followed.matrix.even())
        result.divergence = analysis::known_circuit_divergence(network);
    if (result.divergence) return result;
    const auto matchings = followed.matrix.matchings();
    network::MatchingSequence turned(matchings.begin(), matchings.end());
    ConvergenceEffort effort;
    effort.link_visits /= static_cast<double>(std::max<std::size_t>(1, turned.size()));
    result.divergence = analysis::Estimate{0, 0, true};
    for (std::size_t step = 0; step < turned.size(); ++step) {
        const analysis::Convergence found = circuit_convergence(
            network, {network.node_count(), turned, followed.matrix.share()}, false, effort);
        if (!found.divergence_upper()) return {};
        if (found.divergence->upper() > result.divergence->upper())
            result.divergence = found.divergence;
        std::rotate(turned.begin(), turned.begin() + 1, turned.end());
    }
    return result;
}

/// Rounds in steps; the largest number if they do not fit.
Step in_steps(Step rounds, Step round_length) {
    return rounds > ~Step{0} / round_length ? ~Step{0} : rounds * round_length;
}

}  // namespace

Parameter idealised_parameter() {
    return word_parameter(
        "idealised", {"no", "yes"},
        "yes: run the real-valued process (in fixed point) in place of whole tokens");
}

std::uint64_t idealised_scale(const Task& task) {
    if (task.parameters.word("idealised") == "no") return 1;
    constexpr unsigned bits_max = 24;
    const Tokens total = std::max<Tokens>(1, load::total(task.loads));
    unsigned bits = 0;
    while (bits < bits_max && (total << (bits + 1)) >> (bits + 1) == total &&
           (total << (bits + 1)) <= tokens_max)
        ++bits;
    return std::uint64_t{1} << bits;
}

std::string to_text(double value) {
    return fmt::format("{:.6g}", value);
}

network::RoundWeights even_weights(const network::AnyNetwork& network, Tokens divisor) {
    network::RoundWeights weights;
    weights.reserve(network.link_count());
    for (LinkId link = 0; link < network.link_count(); ++link) {
        const auto [tail, head] = network.ends(link);
        const Tokens degree = std::max(network.degree(tail), network.degree(head));
        weights.push_back({1, divisor > 0 ? divisor : degree + 1});
    }
    return weights;
}

const analysis::Convergence& metropolis_convergence(const Task& task) {
    const network::AnyNetwork& network = task.facts.network();
    return task.facts.convergence("diffusion: metropolis", [&] {
        return diffusion_convergence(network, analysis::DiffusionMatrix::metropolis(network), true);
    });
}

const analysis::Convergence& uniform_convergence(const Task& task) {
    const network::AnyNetwork& network = task.facts.network();
    if (network.degree_min() == network.degree_max()) return metropolis_convergence(task);
    return task.facts.convergence("diffusion: uniform", [&] {
        return diffusion_convergence(network, analysis::DiffusionMatrix::uniform(network), false);
    });
}

void note_least_load(const Task& task, const engine::RoundOutcome& outcome, model::Notes& notes) {
    if (!outcome.least_load) return;
    const Tokens least = *outcome.least_load;
    notes.constants["least_load"] =
        task.load_scale == 1
            ? std::to_string(least)
            : to_text(static_cast<double>(least) / static_cast<double>(task.load_scale));
}

void note_convergence(const analysis::Convergence& convergence, model::Notes& notes) {
    if (convergence.lambda) {
        notes.constants["second_eigenvalue"] = to_text(convergence.lambda->value);
        if (!convergence.lambda->certified) notes.constants["second_eigenvalue_certified"] = "no";
        if (convergence.rounds > 1)
            notes.constants["second_eigenvalue_rounds"] = std::to_string(convergence.rounds);
    }
    if (convergence.divergence)
        notes.constants["local_divergence"] = to_text(convergence.divergence->value);
}

std::string certainty(const analysis::Convergence& convergence) {
    std::string text;
    if (convergence.rounds > 1)
        text = ", of " + std::to_string(convergence.rounds) + " rounds together";
    if (!convergence.lambda->certified) text += " (eigenvalue computed, not certified)";
    return text;
}

std::optional<Step> smoothing_rounds(const Task& task, const analysis::Convergence& convergence) {
    const std::optional<double> gap = convergence.gap();
    if (!gap) return std::nullopt;
    const Step rounds = theory::idealised_smoothing_rounds(task.loads.size(),
                                                           load::discrepancy(task.loads), *gap, 1);
    return in_steps(std::max<Step>(1, rounds), convergence.rounds);
}

model::Guarantee smoothing_promise(const Task& task, const analysis::Convergence& convergence,
                                   double deviation, Step round_length) {
    const std::optional<Step> rounds = smoothing_rounds(task, convergence);
    if (!rounds) return {};
    return {theory::token_discrepancy(1, deviation), in_steps(*rounds, round_length),
            theory::cite(theory::papers::rabani, "Theorems 1 and 2 (constants worked out)") +
                certainty(convergence)};
}

model::Guarantee promise_by_gap(const Task& task, const analysis::Convergence& convergence,
                                std::optional<double> deviation, Step round_length) {
    if (!deviation) return {};
    model::Guarantee guarantee = smoothing_promise(task, convergence, *deviation, round_length);
    if (!guarantee.discrepancy || *guarantee.discrepancy >= load::discrepancy(task.loads))
        return {};
    guarantee.source = theory::cite_theorem(theory::papers::rabani, "Corollary 5") +
                       " (constants worked out)" + certainty(convergence);
    return guarantee;
}

DefaultStop stop_quiet_or_smooth(const Task& task, const analysis::Convergence& convergence,
                                 Step quiet_steps, Step round_length) {
    DefaultStop stop = stop_when_quiet(quiet_steps);
    if (const std::optional<Step> rounds = smoothing_rounds(task, convergence)) {
        stop.rule.steps_max = in_steps(*rounds, round_length);
        stop.cap_means = "smoothing-rounds";
    }
    return stop;
}

engine::RoundOutcome play_beside(const Task& task, const engine::RoundOptions& options,
                                 DeviationObserver deviation, std::optional<double> deviation_bound,
                                 model::Notes& notes, const Play& play) {
    constexpr double link_visits = 2e9;
    if (deviation_bound) deviation.limit_to(*deviation_bound);
    std::vector<model::Observer*> observers(options.observers.begin(), options.observers.end());
    observers.push_back(&deviation);
    engine::RoundOptions observed = options;
    observed.observers = observers;
    engine::RoundOutcome outcome = play(observed);
    if (outcome.stopped_because != model::StopReason::interrupted) {
        // Rank 0 alone observes.
        bool unknown = !deviation.frozen() && !deviation.known();
        if (options.fabric != nullptr) broadcast_value(*options.fabric, unknown);
        if (unknown) play_tokens_on(task, options, outcome.costs.steps, deviation, play);
        if (deviation.frozen()) deviation.play_on(link_visits, options.interrupt);
    }
    note_deviation(deviation, deviation_bound, notes);
    return outcome;
}

engine::RoundOutcome play_beside_diffusion(const Task& task, const engine::RoundOptions& options,
                                           const Followed& followed, model::Notes& notes,
                                           const Play& play) {
    if (!task.with_deviation) return play(options);
    std::optional<double> bound;
    if (followed.rounding) bound = divergence_by(task, followed.divisor);
    if (bound) *bound *= *followed.rounding;
    WeightedLinks weighted = even_links(task, followed.divisor);
    analysis::DiffusionMatrix matrix = weighted.matrix(task.facts.network().node_count());
    return play_beside(task, options,
                       {std::move(matrix), std::move(weighted.weights), followed.rule}, bound,
                       notes, play);
}

engine::RoundOutcome play_beside_second_order(const Task& task, const engine::RoundOptions& options,
                                              Tokens divisor, analysis::SecondOrder order,
                                              model::Notes& notes, const Play& play) {
    if (!task.with_deviation) return play(options);
    WeightedLinks weighted = even_links(task, divisor);
    analysis::DiffusionMatrix matrix = weighted.matrix(task.facts.network().node_count());
    return play_beside(task, options, {std::move(matrix), std::move(weighted.weights), order}, {},
                       notes, play);
}

engine::RoundOutcome play_beside_circuit(const Task& task, const engine::RoundOptions& options,
                                         const FollowedCircuit& followed, model::Notes& notes,
                                         const Play& play) {
    if (!task.with_deviation) return play(options);
    const analysis::Convergence& convergence = task.facts.convergence(
        followed.name + ", at any step", [&] { return at_any_step(task, followed); });
    std::optional<double> bound = convergence.divergence_upper();
    if (bound) bound = theory::circuit_deviation(*bound, followed.share_divisor);
    return play_beside(task, options, {followed.matrix, followed.rule}, bound, notes, play);
}

void expect_deviation_makes_sense(const Task& task) {
    if (!task.with_deviation) return;
    if (!task.speeds.empty())
        throw UnsuitableError("--deviation is for equal speeds and cannot be used with --speeds");
    if (task.parameters.texts().contains("idealised") && task.parameters.word("idealised") == "yes")
        throw UnsuitableError(
            "--deviation compares tokens with the idealised process: expected idealised=no");
}

void expect_levelling(bool levels, const std::string& what) {
    if (!levels)
        throw UnsuitableError(what +
                              " have eigenvalue gap 0: the idealised process does not level "
                              "every load on this network");
}

}  // namespace equipoise::catalogue
