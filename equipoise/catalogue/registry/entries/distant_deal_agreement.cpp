#include "equipoise/protocols/distant_deal_agreement.hpp"

#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/theory/deal_agreement.hpp"

namespace equipoise::catalogue::entries::distant_deal_agreement {

namespace {

using protocols::DistantDealAgreement;

std::uint64_t distance_of(const Parameters& parameters) {
    return parameters.whole("distance");
}

/// This many consecutive steps contain all steps in which the tokens of some round travel: the last
/// k of its 4k steps.
constexpr Step quiet_steps(std::uint64_t distance) {
    return 5 * Step{distance};
}

model::Guarantee promise(const Task& task) {
    const std::uint64_t distance = distance_of(task.parameters);
    const Step round = 4 * Step{distance};
    return {theory::balanced_within_distance(task.facts.diameter().upper, distance),
            steps_until_quiet(task, ~std::uint64_t{0}, round) + distance,
            theory::cite(theory::papers::dinitz,
                         "Section 6 (proof: docs/results/rings-and-distances.md)")};
}

DefaultStop default_stop(const Task& task) {
    return stop_when_quiet(quiet_steps(distance_of(task.parameters)));
}

DistantDealAgreement make(const Parameters& parameters) {
    return DistantDealAgreement(distance_of(parameters));
}

}  // namespace

Algorithm entry() {
    return {
        .name = "distant-deal-agreement",
        .after = "deal-agreement-3",
        .title =
            "deal agreement at a distance: every node offers half the difference to the emptiest "
            "node within k links",
        .source = theory::cite(theory::papers::dinitz,
                               "Section 6 (one sentence; the rule is that of Algorithm 2)"),
        .model = StepModel::multi_port,
        .parameters = {whole_parameter("distance", "2",
                                       {1, static_cast<double>(DistantDealAgreement::distance_max)},
                                       "k, the most links between the ends of a deal")},
        .guarantee =
            "nodes within distance k differ by at most 1, hence discrepancy at most ceil(D / k), "
            "within 4k (floor(Phi / 2) + 1) + k steps",
        .stop = "a round without a deal",
        .goal_one_balanced = true,
        .promise = promise,
        .default_stop = default_stop,
        // As many steps as for the largest distance.
        .stop_by_rows = stop_after_quiet_steps<quiet_steps(DistantDealAgreement::distance_max)>,
        .rounds = plays(make, all_links()),
    };
}

}  // namespace equipoise::catalogue::entries::distant_deal_agreement
