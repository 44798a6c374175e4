#include "equipoise/programs/self_stabilising.hpp"

#include "equipoise/catalogue/registry/common/deal_links.hpp"
#include "equipoise/catalogue/registry/common/program.hpp"
#include "equipoise/theory/deal_agreement.hpp"

namespace equipoise::catalogue::entries::self_stabilising {

namespace {

using programs::SelfStabilising;
using programs::SequenceLink;

model::Guarantee promise(const Task& task) {
    return {theory::one_balanced_discrepancy(task.facts.diameter().upper),
            {},
            theory::cite(theory::papers::dinitz, "Section 5, repaired")};
}

Tokens batch_of(const Task& task) {
    const auto asked = static_cast<Tokens>(task.parameters.whole("batch"));
    return asked == 0 ? tokens_max : asked;
}

auto make(const Task& task, const engine::SimulationOptions& asynchrony) {
    return over_deal_links<programs::Offer>(task, asynchrony, [&](const auto& link) {
        return SelfStabilising(link, period_of_packets(task, asynchrony, link.packets()),
                               room_for_offers(task, asynchrony.faults), batch_of(task));
    });
}

void expect_supported(const Task& task, const engine::FaultPlan& faults) {
    expect_links_supported("self-stabilising", task, faults);
}

}  // namespace

Algorithm entry() {
    return {
        .name = "self-stabilising",
        .after = "async-deal-agreement",
        .title =
            "self-stabilising deal-agreement: offers and deals over channels that lose, duplicate "
            "and reorder",
        .source = theory::cite(theory::papers::dinitz, "Section 5, Algorithm 5"),
        .model = StepModel::asynchronous,
        .parameters = {link_parameter(), period_parameter(),
                       whole_parameter(
                           "batch", "0", {0, 1'000'000'000},
                           "a node offers at most this many tokens at a time; 0: any number")},
        .guarantee =
            "neighbours differ by at most 1, also from an arbitrary start (for the tokens that are "
            "left); from a clean start no token is lost, made or owed",
        .stop = "no token can move any more",
        .anytime = true,
        .goal_one_balanced = true,
        .promise = promise,
        .program = runs(make, {.kinds = {"packet", "acknowledgement"},
                               .acknowledgements = model::KindSet::of(
                                   SelfStabilising<SequenceLink>::Kind::acknowledgement),
                               .expect_supported = expect_supported,
                               .supports_churn = true,
                               .supports_arrivals = true}),
    };
}

}  // namespace equipoise::catalogue::entries::self_stabilising
