#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/threshold.hpp"

namespace equipoise::catalogue::entries::steepest_matching {

Algorithm entry() {
    return {
        .name = "steepest-matching",
        .after = "one-token-matching",
        .title =
            "stand-in for Feuilloley et al.: one token over a greedy matching of the steepest "
            "links",
        .source =
            "stand-in with the goal of Feuilloley, Hirvonen, Suomela 2015 (not their algorithm)",
        .model = StepModel::single_port,
        .needs = "a connected network; a global view of all loads in every step",
        .guarantee = "neighbours differ by at most 1; discrepancy at most the diameter",
        .stop = "no two neighbours differ by more than 1",
        .one_token_a_link = true,
        .promise = promise_one_balanced,
        .default_stop = stop_when_one_balanced,
        .rounds = plays(protocols::Threshold2{}, steepest_matchings()),
    };
}

}  // namespace equipoise::catalogue::entries::steepest_matching
