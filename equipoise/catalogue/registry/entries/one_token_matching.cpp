#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/threshold.hpp"

namespace equipoise::catalogue::entries::one_token_matching {

Algorithm entry() {
    return {
        .name = "one-token-matching",
        .after = "coin-averaging",
        .title =
            "one token over every link of a random matching whose ends differ by 2 or "
            "more",
        .source = "Ghosh et al. 1995, single-port form (rule reconstructed)",
        .model = StepModel::single_port,
        .guarantee = "neighbours differ by at most 1; discrepancy at most the diameter",
        .stop = "no two neighbours differ by more than 1",
        .one_token_a_link = true,
        .anytime = true,
        .promise = promise_one_balanced,
        .default_stop = stop_when_one_balanced,
        .rounds = plays(protocols::Threshold2{}, random_matchings()),
    };
}

}  // namespace equipoise::catalogue::entries::one_token_matching
