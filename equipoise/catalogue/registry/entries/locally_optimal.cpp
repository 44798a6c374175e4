#include "equipoise/protocols/locally_optimal.hpp"

#include <cstdint>

#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/theory/deal_agreement.hpp"

namespace equipoise::catalogue::entries::locally_optimal {

namespace {

/// The only known theorem is that of the potential.
model::Guarantee promise(const Task& task) {
    const Step steps =
        steps_until_quiet(task, ~std::uint64_t{0}, protocols::LocallyOptimal::phases);
    return {theory::one_balanced_discrepancy(task.facts.diameter().upper), steps,
            "the sum of squared loads, which every round with a deal lowers by 2 or more"};
}

}  // namespace

Algorithm entry() {
    return {
        .name = "locally-optimal",
        .after = "minimum-exchange-tree",
        .title =
            "every node offers one token to its emptiest neighbour, which takes that of the "
            "fullest",
        .source =
            "goal of Feuilloley, Hirvonen, Suomela 2015 (rule of our own; only the "
            "abstract was seen)",
        .model = StepModel::single_token,
        .guarantee =
            "neighbours differ by at most 1, hence discrepancy at most the diameter, within 3 "
            "(floor(Phi / 2) + 1) steps; the largest and smallest load never move further apart",
        .stop = "a round without a deal",
        .one_token_a_link = true,
        .anytime = true,
        .goal_one_balanced = true,
        .promise = promise,
        .default_stop = stop_after_quiet_steps<protocols::LocallyOptimal::phases>,
        .stop_by_rows = stop_after_quiet_steps<protocols::LocallyOptimal::phases>,
        .rounds = plays(protocols::LocallyOptimal{}, neighbours()),
    };
}

}  // namespace equipoise::catalogue::entries::locally_optimal
