#include <variant>

#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/common/send.hpp"
#include "equipoise/catalogue/registry/common/smoothing.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/for_steps.hpp"
#include "equipoise/protocols/send.hpp"
#include "equipoise/theory/diffusion.hpp"
#include "equipoise/theory/stateless_diffusion.hpp"

namespace equipoise::catalogue::entries::send_floor {

namespace {

using protocols::ForSteps;
using protocols::Send;

constexpr Tokens times_degree = 2;

Tokens divisor(const Task& task) {
    return divisor_of(task, times_degree);
}

/// Whether the run goes on until the discrepancy is at most what the theorem promises.
bool runs_until_level(const Task& task) {
    return task.parameters.whole("rounds") == 0 &&
           divisor(task) >= times_degree * largest_degree(task);
}

void expect_suitable(const Task& task) {
    expect_divisor(task, 1);
}

model::Guarantee promise(const Task& task) {
    if (!runs_until_level(task)) return {};
    return {theory::send_floor_discrepancy(divisor(task)),
            {},
            "the state it ends in: discrepancy at most D - 1, as in its final cycle of states"};
}

Parameter rounds() {
    Parameter parameter = rounds_parameter();
    parameter.help =
        "rounds in all; 0: until the discrepancy is at most D - 1 or, with D below twice the "
        "largest degree, as many as the idealised diffusion takes from these loads until it is "
        "1-smooth";
    return parameter;
}

/// A quiet round shows that all nodes send the same: then nothing changes any more.
DefaultStop default_stop(const Task& task) {
    if (!runs_until_level(task)) return stop_by_itself(task);
    DefaultStop stop = stop_when_quiet(1);
    stop.rule.discrepancy = theory::send_floor_discrepancy(divisor(task));
    return stop;
}

std::variant<Send, ForSteps<Send>> make(const Task& task, const engine::RoundOptions& options,
                                        model::Notes& notes) {
    const Send rule = Send::floor(divisor(task));
    if (runs_until_level(task)) return rule;
    return ForSteps(rule, smoothing_steps(task, divisor(task), options, notes));
}

/// The fractions that the two ends of a link keep have opposite signs.
engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    Followed followed{divisor(task), theory::diffusion_deviation(1, divisor(task))};
    if (runs_until_level(task))
        followed.rule = {.quiet_steps = 1, .memoryless = true, .within_extremes = false};
    return play_beside_diffusion(task, options, followed, notes, play);
}

}  // namespace

Algorithm entry() {
    return {
        .name = "send-floor",
        .after = "mesh-strong-no-bus",
        .title =
            "SEND(floor): a node sends floor(load / D) through every port; it has no "
            "memory and does not look at neighbours",
        .source =
            "Berenbrink, Klasing, Kosowski, Mallmann-Trenn, Uznanski 2019 (rule "
            "reconstructed from the abstract); bound proved in "
            "docs/results/stateless-diffusion.md",
        .model = StepModel::multi_port,
        .needs = "a connected network whose largest degree the nodes know",
        .parameters = {divisor_parameter(times_degree), rounds()},
        .guarantee =
            "with D at least twice the largest degree the discrepancy falls to at most D - 1, and "
            "from some later round on it stays there; loads never become negative",
        .stop =
            "discrepancy at most D - 1; with a smaller D or given rounds: after the given rounds, "
            "or when the idealised diffusion is 1-smooth",
        .anytime = true,
        .measures_deviation = true,
        .expect_suitable = expect_suitable,
        .promise = promise,
        .default_stop = default_stop,
        .rounds = plays(make, neighbours()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::send_floor
