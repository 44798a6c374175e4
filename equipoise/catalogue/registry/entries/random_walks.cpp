#include "equipoise/protocols/baselines/random_walks.hpp"

#include <algorithm>

#include "equipoise/catalogue/registry/common/smoothing.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/load/targets.hpp"

namespace equipoise::catalogue::entries::random_walks {

namespace {

bool negative_tokens(const Task& task) {
    return task.parameters.word("negative_tokens") == "yes";
}

load::MeanLoad mean_of(const Task& task) {
    return load::mean_load(load::total(task.loads), static_cast<NodeId>(task.loads.size()));
}

/// Loads end at the ceiling of the mean or below. n times the ceiling may exceed the number of
/// tokens; with negative_tokens=no, one node may be short by the whole difference.
model::Guarantee promise(const Task& task) {
    const load::MeanLoad mean = mean_of(task);
    const Tokens uneven = mean.ceiling - mean.floor;
    if (negative_tokens(task))
        return {uneven, {}, "the state it ends in: all loads are floor or ceiling of the mean"};
    const auto nodes = static_cast<Tokens>(task.loads.size());
    const Tokens missing = uneven == 0 ? 0 : nodes - Tokens{mean.nodes_at_ceiling};
    return {std::min(missing, mean.ceiling),
            {},
            "the state it ends in: no load is above the ceiling of the mean"};
}

protocols::baselines::RandomWalks make(const Task& task, const engine::RoundOptions& options,
                                       model::Notes& notes) {
    const load::MeanLoad mean = mean_of(task);
    protocols::baselines::RandomWalks::Plan plan;
    plan.diffusion_rounds = task.parameters.whole("rounds");
    if (plan.diffusion_rounds == 0) plan.diffusion_rounds = frozen_steps(task, options);
    notes.constants["rounds"] = std::to_string(plan.diffusion_rounds);
    plan.mean_floor = mean.floor;
    plan.mean_ceiling = mean.ceiling;
    plan.negative_tokens = negative_tokens(task);
    plan.slack = static_cast<Tokens>(task.parameters.whole("c"));
    return protocols::baselines::RandomWalks(plan);
}

}  // namespace

Algorithm entry() {
    constexpr double rounds_most = 1e15;
    constexpr double slack_most = 1e9;
    return {
        .name = "random-walks",
        .after = "steepest-matching",
        .title =
            "rounded diffusion, then surplus tokens and holes walk at random until they settle",
        .source =
            "Elsaesser, Monien, Schamberger 2006; Elsaesser, Sauerwald 2010 (rules "
            "reconstructed)",
        .model = StepModel::multi_port,
        .needs = "a connected network whose mean load the nodes know",
        .parameters = {whole_parameter(
                           "rounds", "0", {0, rounds_most},
                           "rounds of the first phase, which all nodes know; 0: until rounded "
                           "diffusion stands still"),
                       word_parameter(
                           "negative_tokens", {"yes", "no"},
                           "yes: nodes below the mean send holes that walk too (2006); no: only "
                           "surplus tokens walk (2010)"),
                       whole_parameter("c", "0", {0, slack_most},
                                       "how many tokens the first pair of thresholds lies below "
                                       "the floor and above the ceiling of the mean; this pair is "
                                       "used for as many rounds as the diffusion took")},
        .guarantee =
            "discrepancy at most 1 when all walkers have settled, which happens with probability "
            "1; without negative tokens no load above the ceiling of the mean",
        .stop = "all walkers have settled",
        .loads_may_be_negative = true,
        .promise = promise,
        .rounds = plays(make, neighbours()),
    };
}

}  // namespace equipoise::catalogue::entries::random_walks
