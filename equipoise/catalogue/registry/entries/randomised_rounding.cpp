#include "equipoise/protocols/randomised_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/common/second_order.hpp"
#include "equipoise/catalogue/registry/common/smoothing.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/for_steps.hpp"
#include "equipoise/theory/saturating_ceil.hpp"

namespace equipoise::catalogue::entries::randomised_rounding {

namespace {

using protocols::RandomisedRounding;

/// The discrepancy, in tokens, that second order leaves: first order after the switch begins with
/// no more.
constexpr double left_by_second_order = 10;
/// First order after the switch takes at most this many times the rounds before it, so that a run
/// takes only seconds even if the gap is small.
constexpr Step first_order_most = 4;

bool is(const Task& task, const char* order) {
    return task.parameters.word("order") == order;
}

Tokens fastest(const Task& task) {
    return task.speeds.empty() ? 1 : *std::max_element(task.speeds.begin(), task.speeds.end());
}

/// The eigenvalue gap; with speeds, a lower bound on it. The flow into a node is at least the
/// smallest speed times that of equal speeds, and its share at most the largest times.
std::optional<double> gap_of(const Task& task) {
    const std::optional<double> gap = uniform_convergence(task).gap();
    if (!gap || task.speeds.empty()) return gap;
    const auto slowest =
        static_cast<double>(*std::min_element(task.speeds.begin(), task.speeds.end()));
    const double places = static_cast<double>(task.facts.network().degree_max()) + 1;
    return std::min(*gap * slowest / static_cast<double>(fastest(task)), 2 / places);
}

double beta_of(const Task& task) {
    if (is(task, "first")) return 1;
    const double given = task.parameters.real("beta");
    if (given > 0) return given;
    return best_beta(1 - gap_of(task).value_or(1));
}

/// ln(K n), K the discrepancy or, with speeds, the number of tokens; 0 if nothing need move.
double log_of_start(const Task& task) {
    const Tokens spread =
        task.speeds.empty() ? load::discrepancy(task.loads) : load::total(task.loads);
    if (spread <= 1) return 0;
    return std::log(static_cast<double>(spread) * static_cast<double>(task.loads.size()));
}

/// The number of rounds of second order; a given number takes precedence.
Step second_order_rounds(const Task& task, const std::string& parameter) {
    if (const Step given = task.parameters.whole(parameter); given > 0) return given;
    const std::optional<double> gap = gap_of(task);
    return gap ? theory::saturating_ceil(log_of_start(task) / std::sqrt(*gap)) : 0;
}

Step switch_of(const Task& task) {
    if (is(task, "first")) return 0;
    return is(task, "second") ? RandomisedRounding::never : second_order_rounds(task, "switch");
}

Step rounds_of(const Task& task, const engine::RoundOptions& options, model::Notes& notes) {
    if (const Step given = task.parameters.whole("rounds"); given > 0) return given;
    const std::optional<double> gap = gap_of(task);
    if (is(task, "second")) return second_order_rounds(task, "rounds");
    if (is(task, "hybrid")) {
        const Step before = switch_of(task);
        if (!gap || before == 0) return before;
        const double after =
            std::log(left_by_second_order * static_cast<double>(task.loads.size())) / *gap;
        return before + std::min(theory::saturating_ceil(after), first_order_most * before);
    }
    if (!task.speeds.empty()) return gap ? theory::saturating_ceil(log_of_start(task) / *gap) : 0;
    const network::AnyNetwork& network = task.facts.network();
    const bool regular = network.degree_min() == network.degree_max();
    return smoothing_steps(task, regular ? 0 : Tokens{network.degree_max()} + 1, options, notes);
}

void expect_only_what_the_order_takes(const Task& task) {
    if (is(task, "first") && task.parameters.real("beta") > 0)
        throw UnsuitableError("randomised-rounding: order=first has no beta");
    if (!is(task, "hybrid") && task.parameters.whole("switch") > 0)
        throw UnsuitableError("randomised-rounding: only order=hybrid has a switch");
}

void expect_suitable(const Task& task) {
    expect_connected(task);
    expect_only_what_the_order_takes(task);
    const Tokens places = Tokens{task.facts.network().degree_max()} + 1;
    if (fastest(task) > RandomisedRounding::divisor_max / places)
        throw UnsuitableError(
            "randomised-rounding: expected speeds whose largest, times the largest degree plus 1, "
            "is at most " +
            std::to_string(RandomisedRounding::divisor_max));
    if (task.facts.network().link_count() == 0 || gap_of(task)) return;
    if (is(task, "first") && task.speeds.empty()) return;  // the idealised process is played
    std::string missing;
    for (const char* name : {"beta", "switch", "rounds"}) {
        const bool taken = name == std::string("rounds") || is(task, "hybrid") ||
                           (is(task, "second") && name == std::string("beta"));
        const bool given = name == std::string("beta") ? task.parameters.real(name) > 0
                                                       : task.parameters.whole(name) > 0;
        if (taken && !given)
            missing += std::string(missing.empty() ? "" : ", ") + "--param " + name + "=VALUE";
    }
    if (!missing.empty())
        throw UnsuitableError(
            "randomised-rounding: the second eigenvalue of this network is not known: expected " +
            missing);
}

RandomisedRounding rule_of(const Task& task) {
    return {beta_of(task), task.facts.network().degree_max(), switch_of(task)};
}

auto make(const Task& task, const engine::RoundOptions& options, model::Notes& notes) {
    const Step rounds = rounds_of(task, options, notes);
    notes.constants["rounds"] = std::to_string(rounds);
    if (is(task, "hybrid"))
        notes.constants["switched_after"] = std::to_string(std::min(rounds, switch_of(task)));
    return protocols::ForSteps(rule_of(task), rounds);
}

engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    const analysis::SecondOrder order{rule_of(task).held_beta(), switch_of(task)};
    const Tokens divisor = Tokens{task.facts.network().degree_max()} + 1;
    return play_second_order(task, beta_of(task), uniform_convergence(task), options, notes,
                             [&](const engine::RoundOptions& as) {
                                 return play_beside_second_order(task, as, divisor, order, notes,
                                                                 play);
                             });
}

}  // namespace

Algorithm entry() {
    constexpr double rounds_most = 1e15;
    return {
        .name = "randomised-rounding",
        .after = "randomised-diffusion",
        .title =
            "second-order, then first-order diffusion; a node's flows are rounded "
            "together at random",
        .source =
            "Akbari, Berenbrink, Elsaesser, Kaaser 2014 (rule reconstructed from the abstract)",
        .model = StepModel::multi_port,
        .needs =
            "a connected network; beta and rounds must be given on networks of more than 50,000 "
            "links",
        .parameters =
            {word_parameter("order", {"hybrid", "first", "second"},
                            "hybrid: second order, which is fast, until the switch, then first "
                            "order, which ends closer to level and never owes tokens"),
             beta_parameter(),
             whole_parameter("switch", "0", {0, rounds_most},
                             "rounds of second order before those of first; 0: ln(K n) / "
                             "sqrt(gap), K the discrepancy or, with speeds, the number of tokens"),
             whole_parameter("rounds", "0", {0, rounds_most},
                             "rounds in all; 0: ln(K n) / sqrt(gap) of second order; after the "
                             "switch ln(10 n) / gap of first order, at most four times as many as "
                             "before it; with order=first, as many as the idealised process takes "
                             "until it is 1-smooth (with speeds ln(K n) / gap)")},
        .guarantee =
            "a link's expected flow is the idealised one; with order=first loads never become "
            "negative; no bound is certain",
        .stop = "after the given rounds, or as many as follow from the second eigenvalue",
        .loads_may_be_negative = true,
        .serves_speeds = true,
        .measures_deviation = true,
        .expect_suitable = expect_suitable,
        .rounds = plays(make, neighbours()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::randomised_rounding
