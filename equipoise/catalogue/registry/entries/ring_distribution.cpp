#include "equipoise/protocols/ring_distribution.hpp"

#include <vector>

#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/common/ring.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/theory/ring_distribution.hpp"

namespace equipoise::catalogue::entries::ring_distribution {

namespace {

/// Every node's link to the next one.
HeldSchedule links_to_the_next(const Task& task, std::uint64_t /*seed*/) {
    const std::vector<NodeId> order = ring_of(task);
    std::vector<Ends> links;
    links.reserve(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        links.push_back({order[i], order[(i + 1) % order.size()]});
    return {model::PeriodicSchedule({links}, false)};
}

model::Guarantee promise(const Task& task) {
    load::Loads around;
    for (const NodeId node : ring_of(task))
        around.push_back(task.loads[node]);
    return {
        1,
        theory::ring_distribution_steps(around.size(), theory::ring_off_line_steps_bound(around)),
        theory::cite(theory::papers::gehrke, "abstract")};
}

/// According to the theorem the discrepancy becomes 1 in time; a caller's own rule may wait for
/// ever, since odd tokens go round for ever.
DefaultStop default_stop(const Task& task) {
    DefaultStop stop = stop_at_discrepancy(1);
    stop.rule.steps_max = *promise(task).steps;
    return stop;
}

}  // namespace

Algorithm entry() {
    return {
        .name = "ring-distribution",
        .after = "mesh-strong-no-bus",
        .title = "token distribution on a ring: one token to the next node if that has fewer",
        .source =
            std::string(theory::papers::gehrke).append(" (rule reconstructed from the abstract)"),
        .model = StepModel::single_token,
        .needs = ring_needs,
        .guarantee =
            "discrepancy at most 1 within 4 OPT + n steps, OPT the fewest steps off-line; the "
            "largest and smallest load never move further apart",
        .stop = "discrepancy at most 1",
        .goal_discrepancy = 1,
        .one_token_a_link = true,
        .anytime = true,
        .expect_suitable = expect_ring,
        .promise = promise,
        .default_stop = default_stop,
        .rounds = plays(protocols::RingDistribution{}, {Links::Kind::periodic, links_to_the_next}),
    };
}

}  // namespace equipoise::catalogue::entries::ring_distribution
