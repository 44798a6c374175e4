#include "equipoise/catalogue/entries/smoothing.hpp"

#include "equipoise/analysis/round_matrix.hpp"
#include "equipoise/analysis/spectrum.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/entries/play.hpp"
#include "equipoise/theory/diffusion.hpp"

namespace equipoise::catalogue::entries {

namespace {

/// Larger networks get no eigenvalue.
constexpr std::uint64_t links_max = 50'000;
constexpr double gap_least = 1e-9;
constexpr double rounds_most = 1e15;

}  // namespace

Parameter rounds_parameter() {
    return {.name = "rounds",
            .type = ParameterType::whole,
            .default_value = "0",
            .help =
                "rounds of diffusion, which all nodes know; 0: (2 / gap) ln(K n^2), after "
                "which the idealised process is 1-smooth",
            .words = {},
            .least = 0,
            .most = rounds_most};
}

void expect_smoothing(const Task& task) {
    expect_connected(task);
    const std::uint64_t links = task.facts.network().link_count();
    if (task.parameters.whole("rounds") == 0 && links > links_max)
        throw UnsuitableError("the eigenvalue gap is computed for at most " +
                              std::to_string(links_max) + " links, found " + std::to_string(links) +
                              ": expected a parameter rounds of 1 or more");
}

Step smoothing_rounds(const Task& task, std::map<std::string, std::string>& constants) {
    if (const Step rounds = task.parameters.whole("rounds"); rounds > 0) return rounds;
    const network::AnyNetwork& network = task.facts.network();
    if (network.node_count() < 2) return 0;
    const analysis::Estimate lambda =
        second_eigenvalue(analysis::DiffusionMatrix::metropolis(network));
    const double gap = 1 - (lambda.value + lambda.error);
    if (gap < gap_least)
        throw UnsuitableError(
            "the eigenvalue gap is too small to be told from 0: expected a parameter rounds of 1 "
            "or more");
    const Step rounds = theory::idealised_smoothing_rounds(network.node_count(),
                                                           load::discrepancy(task.loads), gap, 1);
    constants["gap"] = std::to_string(gap);
    constants["rounds"] = std::to_string(rounds);
    return rounds;
}

DefaultStop stop_by_itself(const Task& /*task*/) {
    return {};
}

}  // namespace equipoise::catalogue::entries
