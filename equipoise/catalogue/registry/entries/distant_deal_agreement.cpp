#include "equipoise/protocols/distant_deal_agreement.hpp"

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/theory/deal_agreement.hpp"

namespace equipoise::catalogue::entries {

namespace {

using protocols::DistantDealAgreement;

std::uint64_t distance_of(const Parameters& parameters) {
    return parameters.whole("distance");
}

/// Any 5k consecutive steps contain all steps in which the tokens of some round travel: the last k
/// of its 4k steps.
Step quiet_steps(std::uint64_t distance) {
    return 5 * Step{distance};
}

model::Guarantee promise(const Task& task) {
    const std::uint64_t distance = distance_of(task.parameters);
    const Step round = 4 * Step{distance};
    return {theory::balanced_within_distance(task.facts.diameter().upper, distance),
            steps_until_quiet(task, ~std::uint64_t{0}, round) + distance,
            "Dinitz, Dolev, Kumar 2020, Section 6 (proof: docs/results/rings-and-distances.md)"};
}

DefaultStop default_stop(const Task& task) {
    return stop_when_quiet(quiet_steps(distance_of(task.parameters)));
}

struct Make {
    DistantDealAgreement operator()(const Task& task) const { return *(*this)(task.parameters); }
    std::optional<DistantDealAgreement> operator()(const Parameters& parameters) const {
        return DistantDealAgreement(distance_of(parameters));
    }
};

/// As many steps as for the largest distance.
DefaultStop stop_by_rows(NodeId /*nodes*/, Step /*period*/) {
    return stop_when_quiet(quiet_steps(DistantDealAgreement::distance_max));
}

}  // namespace

Algorithm distant_deal_agreement() {
    return {
        .name = "distant-deal-agreement",
        .after = "deal-agreement-3",
        .title =
            "deal agreement at a distance: every node offers half the difference to the emptiest "
            "node "
            "within k links",
        .source = "Dinitz, Dolev, Kumar 2020, Section 6 [R]",
        .model = StepModel::multi_port,
        .needs = "a connected network",
        .parameters = {{.name = "distance",
                        .type = ParameterType::whole,
                        .default_value = "2",
                        .help = "k, the most links between the ends of a deal",
                        .words = {},
                        .least = 1,
                        .most = static_cast<double>(DistantDealAgreement::distance_max)}},
        .guarantee =
            "nodes within distance k differ by at most 1, hence discrepancy at most ceil(D / k), "
            "within 4k (floor(Phi / 2) + 1) + k steps",
        .stop = "a round without a deal",
        .goal_discrepancy = {},
        .goal_one_balanced = true,
        .expect_suitable = expect_connected,
        .promise = promise,
        .default_stop = default_stop,
        .stop_by_rows = stop_by_rows,
        .rounds = plays(Make{}, all_links()),
    };
}

}  // namespace equipoise::catalogue::entries
