#include "equipoise/programs/async_ring_distribution.hpp"

#include "equipoise/catalogue/registry/common/program.hpp"
#include "equipoise/catalogue/registry/common/ring.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::catalogue::entries::async_ring_distribution {

namespace {

using programs::AsyncRingDistribution;

/// The nodes tell the direction from the ends of their links.
void expect_numbered_ring(const Task& task) {
    const std::vector<NodeId> order = ring_of(task);
    for (std::size_t i = 0; i < order.size(); ++i)
        if (order[i] != i)
            throw UnsuitableError(
                "the ring is not numbered from node to node: expected links between successive "
                "numbers, and between the last node and the first (cycle:n=8)");
}

model::Guarantee promise(const Task& /*task*/) {
    return {1, {}, "the state it ends in: no node sends"};
}

AsyncRingDistribution make(const Task& task) {
    return AsyncRingDistribution(load::total(task.loads) / static_cast<Tokens>(task.loads.size()));
}

}  // namespace

Algorithm entry() {
    return {
        .name = "async-ring-distribution",
        .after = "ring-distribution",
        .title =
            "token distribution on a ring without a clock: one token to the next node if that has "
            "fewer",
        .source =
            std::string(theory::papers::gehrke).append(" (rule reconstructed from the abstract)"),
        .model = StepModel::asynchronous,
        .needs = "a ring numbered from node to node (cycle:n=8)",
        .guarantee =
            "discrepancy at most 1; no load ever above the largest or below the smallest at the "
            "start",
        .stop = "nothing is on the way",
        .goal_discrepancy = 1,
        .expect_suitable = expect_numbered_ring,
        .promise = promise,
        .program = runs(
            make, {.kinds = {"report", "token"},
                   .acknowledgements = model::KindSet::of(AsyncRingDistribution::Kind::report)}),
    };
}

}  // namespace equipoise::catalogue::entries::async_ring_distribution
