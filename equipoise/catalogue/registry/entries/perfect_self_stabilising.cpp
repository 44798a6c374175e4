#include "equipoise/programs/perfect_self_stabilising.hpp"

#include "equipoise/catalogue/registry/common/deal_links.hpp"
#include "equipoise/catalogue/registry/common/program.hpp"

namespace equipoise::catalogue::entries::perfect_self_stabilising {

namespace {

using programs::PerfectSelfStabilising;
using programs::SequenceLinkOf;
using programs::TreeOffer;

model::Guarantee promise(const Task& /*task*/) {
    return {1, {}, "Equipoise, docs/results/perfect-and-self-stabilising.md"};
}

auto make(const Task& task, const engine::SimulationOptions& asynchrony) {
    return over_deal_links<TreeOffer>(task, asynchrony, [&](const auto& link) {
        return PerfectSelfStabilising(link, task.facts.network().node_count(),
                                      period_of_packets(task, asynchrony, link.packets()),
                                      room_for_offers(task, asynchrony.faults));
    });
}

void expect_supported(const Task& task, const engine::FaultPlan& faults) {
    expect_links_supported("perfect-self-stabilising", task, faults);
}

}  // namespace

Algorithm entry() {
    using Kind = PerfectSelfStabilising<SequenceLinkOf<TreeOffer>>::Kind;
    return {
        .name = "perfect-self-stabilising",
        .after = "self-stabilising",
        .title =
            "perfect token distribution from any state: a tree, counts that moves keep exact, and "
            "moves along the tree",
        .source = "Equipoise; links of Dinitz, Dolev, Kumar 2020, Section 5",
        .model = StepModel::asynchronous,
        .parameters = {link_parameter(), period_parameter()},
        .guarantee =
            "discrepancy at most 1, also from an arbitrary start (for the tokens that are left), "
            "if no two nodes draw the same 63 bits; from a clean start no token is lost or made",
        .stop = "no token can move any more",
        .goal_discrepancy = 1,
        .anytime = true,
        .promise = promise,
        .program = runs(make, {.kinds = {"packet", "acknowledgement"},
                               .acknowledgements = model::KindSet::of(Kind::acknowledgement),
                               .expect_supported = expect_supported,
                               .supports_churn = true,
                               .supports_arrivals = true}),
    };
}

}  // namespace equipoise::catalogue::entries::perfect_self_stabilising
