#include "equipoise/protocols/baselines/flow_imitation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/common/second_order.hpp"
#include "equipoise/catalogue/registry/common/smoothing.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/model/run/matching_schedule.hpp"
#include "equipoise/protocols/for_steps.hpp"

namespace equipoise::catalogue::entries::flow_imitation {

namespace {

using protocols::Diffusion;
using protocols::Diffusion2;
using protocols::DimensionExchange;
using protocols::ForSteps;
using protocols::baselines::FlowImitationOf;
using protocols::baselines::Imitation;
using protocols::baselines::MatchingImitation;

constexpr const char* second_order = "second-order";
constexpr const char* in_dimensions = "dimension-exchange";
constexpr const char* in_matchings = "random-matchings";

bool follows(const Parameters& parameters, const char* process) {
    return parameters.word("follows") == process;
}

bool follows(const Task& task, const char* process) {
    return follows(task.parameters, process);
}

bool randomised(const Task& task) {
    return task.parameters.word("randomised") == "yes";
}

Imitation::Rounding rounding_of(const Task& task) {
    return randomised(task) ? Imitation::Rounding::random : Imitation::Rounding::towards_zero;
}

Diffusion2 second_order_of(const Task& task) {
    const double given = task.parameters.real("beta");
    const analysis::Convergence& convergence = metropolis_convergence(task);
    if (given > 0) return Diffusion2(given);
    return Diffusion2(convergence.lambda ? best_beta(convergence.lambda->value) : 1);
}

void expect_suitable(const Task& task) {
    expect_connected(task);
    const bool given = task.parameters.real("beta") > 0;
    if (given && !follows(task, second_order))
        throw UnsuitableError("flow-imitation: only follows=second-order has a beta");
    if (!given && follows(task, second_order) && task.facts.network().link_count() > 0 &&
        !metropolis_convergence(task).gap())
        throw UnsuitableError(
            "flow-imitation: the second eigenvalue of this network is not known: beta must be "
            "given (--param beta=VALUE)");
}

/// Every load is less than the degree away from an idealised one, and these are 1-smooth when the
/// run ends, unless the fixed-point process stood still earlier: then they differ by at most the
/// largest degree (in units) per link. With second order a load with dummies may be further away.
model::Guarantee promise(const Task& task) {
    const Tokens degree = task.facts.network().degree_max();
    const bool smooth = task.parameters.whole("rounds") == 0 &&
                        load::total(task.loads) <= tokens_max / Imitation::one &&
                        degree * Tokens{task.facts.diameter().upper} <= Imitation::one;
    if (!smooth || randomised(task) || follows(task, second_order)) return {};
    return {
        2 * degree,
        {},
        "the state it ends in: every load is less than the degree away from an idealised one, and "
        "these are 1-smooth"};
}

/// `rounds`, or the steps until the process that is followed is smooth.
Step rounds_of(const Task& task, const engine::RoundOptions& options, model::Notes& notes) {
    if (follows(task, "diffusion")) return smoothing_steps(task, 0, options, notes);
    if (const Step rounds = task.parameters.whole("rounds"); rounds > 0) return rounds;
    model::StopRule standstill;
    std::optional<Step> steps;
    if (follows(task, second_order)) {
        standstill.quiet_steps = 2;
        standstill.steps_max = steps_affordable(task);
        steps = steps_until_smooth(task, AnyRule(second_order_of(task)), all_links(), standstill,
                                   options);
    } else if (follows(task, in_dimensions)) {
        standstill.quiet_steps = std::max<Step>(1, dimensions_of(task).size());
        steps = steps_until_smooth(task, AnyRule(DimensionExchange{}), dimensions(), standstill,
                                   options);
    } else {
        // Units that differ by 1 may go round for ever.
        const bool smooth = promise(task).discrepancy.has_value();
        if (!smooth) standstill.steps_max = steps_affordable(task);
        steps = steps_until_smooth(task, AnyRule(DimensionExchange{}), random_matchings(),
                                   standstill, options);
        if (steps) ++*steps;  // nodes look for the first matching in a step of its own
    }
    notes.constants["rounds"] = std::to_string(steps.value_or(0));
    return steps.value_or(0);
}

using Rule =
    std::variant<ForSteps<FlowImitationOf<Diffusion>>, ForSteps<FlowImitationOf<Diffusion2>>,
                 ForSteps<FlowImitationOf<DimensionExchange>>, ForSteps<MatchingImitation>>;

Rule make(const Task& task, const engine::RoundOptions& options, model::Notes& notes) {
    const Step rounds = rounds_of(task, options, notes);
    const Imitation::Rounding rounding = rounding_of(task);
    if (follows(task, second_order))
        return ForSteps(FlowImitationOf<Diffusion2>(rounding, second_order_of(task)), rounds);
    if (follows(task, in_dimensions))
        return ForSteps(FlowImitationOf<DimensionExchange>(rounding), rounds);
    if (follows(task, in_matchings)) return ForSteps(MatchingImitation(rounding), rounds);
    return ForSteps(FlowImitationOf<Diffusion>(rounding), rounds);
}

Links links_of(const Parameters& parameters) {
    return follows(parameters, in_dimensions) ? dimensions() : all_links();
}

Links links() {
    Links links = all_links();
    links.chosen = links_of;
    return links;
}

/// The idealised process is judged until the run ends.
engine::RoundOutcome play_beside_followed(const Task& task, const engine::RoundOptions& options,
                                          model::Notes& notes, const Play& play) {
    if (!task.with_deviation) return play(options);
    if (follows(task, "diffusion")) return play_beside_diffusion(task, options, {}, notes, play);
    if (follows(task, second_order))
        return play_beside_second_order(task, options, 0, {second_order_of(task).held_beta()},
                                        notes, play);
    const NodeId nodes = task.facts.network().node_count();
    const analysis::TokenRule until_end{.within_extremes = false, .for_ever = false};
    if (follows(task, in_dimensions))
        return play_beside(task, options,
                           {analysis::CircuitMatrix(nodes, dimensions_of(task)), until_end}, {},
                           notes, play);
    analysis::PairsOfStep pairs =
        [found = pairs_of(model::RandomMatching(task.facts.network(), options.seed))](Step step) {
            return step > 0 ? found(step - 1) : std::span<const Ends>{};
        };
    return play_beside(task, options, {std::move(pairs), until_end}, {}, notes, play);
}

engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    engine::RoundOutcome outcome = play_beside_followed(task, options, notes, play);
    notes.constants["dummies_made"] = std::to_string(outcome.created);
    notes.constants["dummies_left"] = std::to_string(outcome.created - outcome.destroyed);
    if (follows(task, second_order))
        notes.constants["beta"] =
            to_text(std::ldexp(static_cast<double>(second_order_of(task).held_beta()),
                               -static_cast<int>(Diffusion2::fraction_bits)));
    return outcome;
}

Parameter rounds() {
    Parameter parameter = rounds_parameter();
    parameter.help =
        "rounds in all, which all nodes know; 0: as many as the idealised process takes from these "
        "loads until it is 1-smooth";
    return parameter;
}

}  // namespace

Algorithm entry() {
    return {
        .name = "flow-imitation",
        .after = "balancing-circuit",
        .title = "flow imitation: tokens follow an idealised process link by link",
        .source =
            "Akbari, Berenbrink, Sauerwald 2012 (bounds confirmed in a public text, rule "
            "reconstructed)",
        .model = StepModel::multi_port,
        .needs =
            "a connected network; with follows=second-order beta must be given on networks of more "
            "than 50,000 links",
        .parameters = {word_parameter(
                           "follows", {"diffusion", second_order, in_dimensions, in_matchings},
                           "the idealised process: first-order diffusion, diffusion of second "
                           "order, dimension exchange, or averaging in a random matching a step"),
                       beta_parameter(), rounds(),
                       word_parameter(
                           "randomised", {"no", "yes"},
                           "no: a link sends what it owes, rounded towards 0; yes: the fraction "
                           "that is cut off is the probability of one more token")},
        .guarantee =
            "every link has carried less than one token more or less than in the idealised "
            "process, so the discrepancy is at most 2 d (d the largest degree) once the idealised "
            "loads differ by at most 1; none with randomised=yes, and none for loads with dummies "
            "with follows=second-order",
        .stop = "after the given rounds, or when the idealised process is 1-smooth",
        .measures_deviation = true,
        .expect_suitable = expect_suitable,
        .promise = promise,
        .rounds = plays(make, links()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::flow_imitation
