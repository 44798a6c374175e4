#include "equipoise/protocols/rotor_router.hpp"

#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/common/smoothing.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/for_steps.hpp"
#include "equipoise/theory/diffusion.hpp"

namespace equipoise::catalogue::entries::rotor_router {

namespace {

using protocols::RotorRouter;

RotorRouter rule_of(const Task& task) {
    return {task.facts.network().degree_max(), task.parameters.word("variant") == "star"
                                                   ? RotorRouter::Variant::star
                                                   : RotorRouter::Variant::plain};
}

auto make(const Task& task, const engine::RoundOptions& options, model::Notes& notes) {
    const RotorRouter rule = rule_of(task);
    return protocols::ForSteps(rule, smoothing_steps(task, rule.divisor(), options, notes));
}

/// Every port gets floor or ceil of load / D. With variant=star, x = a D + r tokens and r > 0, the
/// a (D - 1) + r - 1 tokens that are dealt out give each of D - 1 ports a or a + 1.
engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    const Tokens divisor = rule_of(task).divisor();
    return play_beside_diffusion(task, options, {divisor, theory::transfer_deviation(1, divisor)},
                                 notes, play);
}

}  // namespace

Algorithm entry() {
    return {
        .name = "rotor-router",
        .after = "send-round",
        .title = "rotor-router: a node deals out its tokens one by one, to its ports in turn",
        .source =
            "Berenbrink, Klasing, Kosowski, Mallmann-Trenn, Uznanski 2019 (rules "
            "reconstructed from the abstract)",
        .model = StepModel::multi_port,
        .needs = "a connected network whose largest degree the nodes know",
        .parameters = {word_parameter(
                           "variant", {"plain", "star"},
                           "plain: all tokens go round D ports, D twice the largest degree; star: "
                           "a node first keeps ceil(load / D), the others go round D - 1 ports"),
                       rounds_parameter()},
        .guarantee =
            "over any interval of rounds the tokens that any two ports of a node have sent differ "
            "by at most 1; loads never become negative; no bound on the discrepancy",
        .stop = "after the given rounds, or when the idealised diffusion is 1-smooth",
        .measures_deviation = true,
        .rounds = plays(make, neighbours()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::rotor_router
