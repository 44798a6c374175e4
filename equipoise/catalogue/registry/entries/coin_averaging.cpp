#include "equipoise/protocols/coin_averaging.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/model/run/matching_schedule.hpp"

namespace equipoise::catalogue::entries::coin_averaging {

namespace {

Links links_of(const Task& task) {
    const std::string& word = task.parameters.word("matching");
    if (word == "single") return random_links();
    return word == "periodic" ? matchings() : random_matchings();
}

/// Odd tokens wander for ever. In random matchings a link is active about once in 2d steps, d the
/// largest degree; with a single random link, once in m steps for m links. After n times that
/// number of steps without a steep active link, hardly anything more will happen.
DefaultStop default_stop(const Task& task) {
    const network::AnyNetwork& network = task.facts.network();
    const Step between = task.parameters.word("matching") == "single"
                             ? Step{network.link_count()}
                             : 2 * Step{network.degree_max()};
    DefaultStop stop = stop_at_discrepancy(1);
    stop.rule.stable_steps = std::max<Step>(1, between) * std::max<Step>(1, network.node_count());
    stop.window_is_proof = false;
    return stop;
}

HeldSchedule schedule(const Task& task, std::uint64_t seed) {
    return links_of(task).schedule(task, seed);
}

protocols::CoinAveraging make(const Task& task) {
    return protocols::CoinAveraging(task.parameters.real("smoothing"));
}

/// Pairs that average exactly, in the same matchings or links.
engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    if (!task.with_deviation) return play(options);
    const network::AnyNetwork& network = task.facts.network();
    const std::string& word = task.parameters.word("matching");
    if (word == "periodic")
        return play_beside_circuit(
            task, options,
            {{network.node_count(), task.facts.natural_matchings()}, "circuit 1/2: natural", true},
            notes, play);
    analysis::PairsOfStep pairs = word == "single"
                                      ? pairs_of(model::RandomLink(network, options.seed))
                                      : pairs_of(model::RandomMatching(network, options.seed));
    return play_beside(task, options, {std::move(pairs), {}}, {}, notes, play);
}

}  // namespace

Algorithm entry() {
    return {
        .name = "coin-averaging",
        .former_names = {"coin-matching"},
        .after = "one-token-diffusion",
        .title = "linked pairs share evenly; a coin decides who gets the odd token",
        .source =
            "Sauerwald, Sun 2012 (confirmed in a public text); Friedrich, Sauerwald, "
            "Vilenchik 2010; Berenbrink and others 2025 (rules reconstructed)",
        .model = StepModel::single_port,
        .parameters =
            {word_parameter(
                 "matching", {"random", "periodic", "single"},
                 "random: drawn afresh every step; periodic: the network's default matchings in "
                 "turn (axis by axis on meshes, tori and hypercubes, otherwise the classes of an "
                 "edge colouring); single: one random link every step"),
             real_parameter("smoothing", "0.5", {0, 0.5},
                            "alpha, the probability that the odd token goes to the head of its "
                            "link instead of the tail; 0.5: a fair coin, 0: always the tail")},
        .guarantee =
            "the largest and smallest load never move further apart; discrepancy 3 with high "
            "probability in the spectral time on any network; no bound is certain, and a run may "
            "end before that time",
        .stop =
            "discrepancy 1, or no active link with a discrepancy of 2 or more for 2 d n steps "
            "(single links: m n)",
        .anytime = true,
        .measures_deviation = true,
        .default_stop = default_stop,
        .rounds = plays(make, {Links::Kind::drawn, schedule}),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::coin_averaging
