#include "equipoise/protocols/rotor_router.hpp"

#include "equipoise/catalogue/registry/common/smoothing.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/for_steps.hpp"

namespace equipoise::catalogue::entries::rotor_router {

namespace {

using protocols::RotorRouter;

auto make(const Task& task, const engine::RoundOptions& options, model::Notes& notes) {
    const RotorRouter rule(task.facts.network().degree_max(),
                           task.parameters.word("variant") == "star" ? RotorRouter::Variant::star
                                                                     : RotorRouter::Variant::plain);
    return protocols::ForSteps(rule, smoothing_steps(task, rule.divisor(), options, notes));
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
        .rounds = plays(make, neighbours()),
    };
}

}  // namespace equipoise::catalogue::entries::rotor_router
