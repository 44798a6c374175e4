#include "equipoise/programs/async_deal_agreement.hpp"

#include "equipoise/catalogue/registry/common/program.hpp"
#include "equipoise/theory/deal_agreement.hpp"

namespace equipoise::catalogue::entries::async_deal_agreement {

namespace {

using programs::AsyncDealAgreement;

model::Guarantee promise(const Task& task) {
    return {theory::one_balanced_discrepancy(task.facts.diameter().upper),
            {},
            theory::cite_theorem(theory::papers::dinitz, "Theorem 4") + ", repaired"};
}

}  // namespace

Algorithm entry() {
    return {
        .name = "async-deal-agreement",
        .after = "minimum-exchange-tree",
        .title = "asynchronous deal-agreement: propose to all emptier neighbours, then transfer",
        .source = theory::cite(theory::papers::dinitz, "Section 4, Algorithm 4"),
        .model = StepModel::asynchronous,
        .guarantee = "neighbours differ by at most 1; discrepancy at most the diameter",
        .stop = "nothing is on the way",
        .anytime = true,
        .promise = promise,
        .program =
            runs(AsyncDealAgreement(),
                 {.kinds = {"load", "proposal", "acknowledgement", "transfer"},
                  .acknowledgements = model::KindSet::of(AsyncDealAgreement::Kind::acknowledgement),
                  .supports_arrivals = true}),
    };
}

}  // namespace equipoise::catalogue::entries::async_deal_agreement
