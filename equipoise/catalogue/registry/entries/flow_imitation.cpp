#include "equipoise/protocols/baselines/flow_imitation.hpp"

#include "equipoise/catalogue/registry/common/smoothing.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/for_steps.hpp"

namespace equipoise::catalogue::entries::flow_imitation {

namespace {

using protocols::baselines::FlowImitation;

bool randomised(const Task& task) {
    return task.parameters.word("randomised") == "yes";
}

/// Every load is less than the degree away from an idealised one, and these are 1-smooth when the
/// run ends, unless the fixed-point process stood still earlier: then they differ by at most the
/// largest degree (in units) per link.
model::Guarantee promise(const Task& task) {
    const Tokens degree = task.facts.network().degree_max();
    const bool smooth = task.parameters.whole("rounds") == 0 &&
                        load::total(task.loads) <= tokens_max / FlowImitation::one &&
                        degree * Tokens{task.facts.diameter().upper} <= FlowImitation::one;
    if (!smooth || randomised(task)) return {};
    return {2 * degree,
            {},
            "the state it ends in: loads less than the degree from 1-smooth idealised ones"};
}

auto make(const Task& task, const engine::RoundOptions& options, model::Notes& notes) {
    return protocols::ForSteps(
        FlowImitation(randomised(task) ? FlowImitation::Rounding::random
                                       : FlowImitation::Rounding::towards_zero),
        smoothing_steps(task, 0, options, notes));
}

engine::RoundOutcome around(const Task& /*task*/, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    engine::RoundOutcome outcome = play(options);
    notes.constants["dummies_made"] = std::to_string(outcome.created);
    notes.constants["dummies_left"] = std::to_string(outcome.created - outcome.destroyed);
    return outcome;
}

}  // namespace

Algorithm entry() {
    return {
        .name = "flow-imitation",
        .after = "balancing-circuit",
        .title = "flow imitation: tokens follow the idealised diffusion link by link",
        .source =
            "Akbari, Berenbrink, Sauerwald 2012 (bounds confirmed in a public text, rule "
            "reconstructed)",
        .model = StepModel::multi_port,
        .parameters = {rounds_parameter(),
                       word_parameter(
                           "randomised", {"no", "yes"},
                           "no: a link sends what it owes, rounded towards 0; yes: the fraction "
                           "that is cut off is the probability of one more token")},
        .guarantee =
            "every link has carried less than one token more or less than in the idealised "
            "process, so the discrepancy is at most 2 d (d the largest degree) once the idealised "
            "loads differ by at most 1; none with randomised=yes",
        .stop = "after the given rounds, or when the idealised diffusion is 1-smooth",
        .promise = promise,
        .rounds = plays(make, all_links()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::flow_imitation
