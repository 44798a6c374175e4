#include "equipoise/programs/async_deal_agreement.hpp"

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/program.hpp"
#include "equipoise/theory/deal_agreement.hpp"

namespace equipoise::catalogue::entries {

namespace {

using programs::AsyncDealAgreement;

model::Guarantee promise(const Task& task) {
    return {theory::one_balanced_discrepancy(task.facts.diameter().upper),
            {},
            "Dinitz, Dolev, Kumar 2020, Theorem 4, repaired"};
}

engine::RoundOutcome play(const Task& task, const engine::RoundOptions& options,
                          const engine::SimulationOptions& asynchrony,
                          engine::ProgramCosts& costs) {
    return play_program(AsyncDealAgreement(), all_channels(task.facts), task, options, asynchrony,
                        costs);
}

}  // namespace

Algorithm async_deal_agreement() {
    return {
        .name = "async-deal-agreement",
        .after = "minimum-exchange-tree",
        .title = "asynchronous deal-agreement: propose to all emptier neighbours, then transfer",
        .source = "Dinitz, Dolev, Kumar 2020, Section 4, Algorithm 4",
        .model = StepModel::asynchronous,
        .needs = "a connected network",
        .parameters = {},
        .guarantee = "neighbours differ by at most 1; discrepancy at most the diameter",
        .stop = "nothing is on the way",
        .goal_discrepancy = {},
        .anytime = true,
        .expect_suitable = expect_connected,
        .promise = promise,
        .default_stop = stop_at_rest,
        .program = ProgramPlay{.channels = all_channels,
                               .play = play,
                               .kinds = {"load", "proposal", "acknowledgement", "transfer"},
                               .acknowledgements =
                                   model::KindSet::of(AsyncDealAgreement::Kind::acknowledgement),
                               .supports_arrivals = true},
    };
}

}  // namespace equipoise::catalogue::entries
