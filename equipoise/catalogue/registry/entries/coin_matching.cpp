#include "equipoise/protocols/baselines/coin_matching.hpp"

#include <algorithm>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/model/run/matching_schedule.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::catalogue::entries {

namespace {

model::Guarantee promise(const Task& /*task*/) {
    return {};
}

bool periodic(const Task& task) {
    return task.parameters.word("matching") == "periodic";
}

/// Odd tokens wander for ever. Where d is the largest degree, a link is active about once in 2d
/// steps; after 2d steps per node in which no active link was steep, hardly anything more will
/// happen.
DefaultStop default_stop(const Task& task) {
    const network::AnyNetwork& network = task.facts.network();
    DefaultStop stop;
    stop.rule.own_termination = false;
    stop.rule.discrepancy = 1;
    stop.rule.stable_steps =
        std::max<Step>(1, 2 * Step{network.degree_max()}) * std::max<Step>(1, network.node_count());
    stop.window_is_proof = false;
    return stop;
}

HeldSchedule schedule(const Task& task, std::uint64_t seed) {
    return (periodic(task) ? matchings() : random_matchings()).schedule(task, seed);
}

}  // namespace

Algorithm coin_matching() {
    return {
        .name = "coin-matching",
        .after = "one-token-diffusion",
        .title = "matched pairs share evenly, a fair coin decides who gets the odd token",
        .source = "Friedrich, Sauerwald 2009; Sauerwald, Sun 2012 [A: confirmed]",
        .model = StepModel::single_port,
        .needs = "a connected network",
        .parameters = {{.name = "matching",
                        .type = ParameterType::word,
                        .default_value = "random",
                        .help = "random: drawn afresh every step; periodic: the network's default "
                                "matchings in turn (axis by axis on meshes, tori and hypercubes, "
                                "otherwise the classes of an edge colouring)",
                        .words = {"random", "periodic"}}},
        .guarantee =
            "the largest and smallest load never move further apart; constant discrepancy with "
            "high probability on regular networks "
            "after O(log(K n) / gap) steps; no bound is certain",
        .stop = "discrepancy 1, or no active link with a discrepancy of 2 or more for 2 d n steps",
        .goal_discrepancy = {},
        .anytime = true,
        .expect_suitable = expect_connected,
        .promise = promise,
        .default_stop = default_stop,
        .rounds = plays(protocols::baselines::CoinMatching{}, {Links::Kind::drawn, schedule}),
    };
}

}  // namespace equipoise::catalogue::entries
