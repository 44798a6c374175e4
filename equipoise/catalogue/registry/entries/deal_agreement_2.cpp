#include "equipoise/protocols/deal_agreement_2.hpp"

#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/theory/deal_agreement.hpp"

namespace equipoise::catalogue::entries::deal_agreement_2 {

namespace {

model::Guarantee promise(const Task& task) {
    const std::uint64_t diameter = task.facts.diameter().upper;
    const std::uint64_t by_theorem =
        theory::deal_agreement_2_rounds(task.loads.size(), diameter, load::discrepancy(task.loads));
    return {theory::one_balanced_discrepancy(diameter),
            steps_until_quiet(task, by_theorem, protocols::DealAgreement2::phases),
            theory::cite_theorem(theory::papers::dinitz, "Theorem 2")};
}

}  // namespace

Algorithm entry() {
    return {
        .name = "deal-agreement-2",
        .after = "deal-agreement-1",
        .title =
            "deal agreement on tokens: every node offers half the difference to its least loaded "
            "neighbour, which takes the largest offer",
        .source = theory::cite(theory::papers::dinitz, "Section 2, Algorithm 2"),
        .model = StepModel::multi_port,
        .guarantee =
            "neighbours differ by at most 1, hence discrepancy at most the diameter D, within 3 "
            "(min((8nD + 1) ln(ceil(nK^2 / 2D^2)) + 2nD^2, floor(Phi / 2)) + 1) steps; the largest "
            "and smallest load never move further apart",
        .stop = "a round without a deal",
        .anytime = true,
        .goal_one_balanced = true,
        .serves_speeds = true,
        .promise = promise,
        .default_stop = stop_after_quiet_steps<protocols::DealAgreement2::phases>,
        .stop_by_rows = stop_after_quiet_steps<protocols::DealAgreement2::phases>,
        .rounds = plays(protocols::DealAgreement2{}, neighbours()),
    };
}

}  // namespace equipoise::catalogue::entries::deal_agreement_2
