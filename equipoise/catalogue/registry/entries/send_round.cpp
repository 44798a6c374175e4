#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/common/send.hpp"
#include "equipoise/catalogue/registry/common/smoothing.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/for_steps.hpp"
#include "equipoise/protocols/send.hpp"

namespace equipoise::catalogue::entries::send_round {

namespace {

constexpr Tokens times_degree = 3;

void expect_suitable(const Task& task) {
    expect_divisor(task, 2);
}

auto make(const Task& task, const engine::RoundOptions& options, model::Notes& notes) {
    const Tokens divisor = divisor_of(task, times_degree);
    return protocols::ForSteps(protocols::Send::round(divisor),
                               smoothing_steps(task, divisor, options, notes));
}

/// Both transfers of a link are rounded to the nearest, by at most 1/2 each.
engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    return play_beside_diffusion(task, options, {divisor_of(task, times_degree), 1.0}, notes, play);
}

}  // namespace

Algorithm entry() {
    return {
        .name = "send-round",
        .after = "send-floor",
        .title =
            "SEND(round): a node sends floor(load / D + 1/2) through every port; it has "
            "no memory and does not look at neighbours",
        .source =
            "Berenbrink, Klasing, Kosowski, Mallmann-Trenn, Uznanski 2019 (rule "
            "reconstructed from the abstract)",
        .model = StepModel::multi_port,
        .needs = "a connected network whose largest degree the nodes know",
        .parameters = {divisor_parameter(times_degree), rounds_parameter()},
        .guarantee =
            "loads never become negative; no bound on the discrepancy is proved here, D - 1 is "
            "what was measured",
        .stop = "after the given rounds, or when the idealised diffusion is 1-smooth",
        .anytime = true,
        .measures_deviation = true,
        .expect_suitable = expect_suitable,
        .rounds = plays(make, neighbours()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::send_round
