#include <algorithm>
#include <cmath>

#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/theory/deal_agreement.hpp"

namespace equipoise::catalogue::entries::deal_agreement_1 {

namespace {

constexpr Step phases = protocols::DealAgreement2::phases;

std::uint64_t load_scale(const Task& task) {
    return std::uint64_t{1} << theory::deal_agreement_1_fraction_bits(
               task.facts.diameter().upper, task.parameters.real("epsilon"));
}

/// The discrepancy at which the run ends, in units.
Tokens goal(const Task& task) {
    return static_cast<Tokens>(
        std::floor(std::ldexp(task.parameters.real("epsilon"), std::ilogb(task.load_scale))));
}

Step steps_bound(const Task& task) {
    const double initial =
        static_cast<double>(load::discrepancy(task.loads)) / static_cast<double>(task.load_scale);
    const std::uint64_t rounds = theory::deal_agreement_1_rounds(
        task.loads.size(), task.facts.diameter().upper, initial, task.parameters.real("epsilon"));
    return std::min(rounds, ~std::uint64_t{0} / phases) * phases;
}

model::Guarantee promise(const Task& task) {
    return {goal(task), steps_bound(task),
            theory::cite_theorem(theory::papers::dinitz, "Theorem 1") +
                " (loads in small fractions of a token)"};
}

DefaultStop default_stop(const Task& task) {
    DefaultStop stop = stop_at_discrepancy(goal(task));
    // For callers whose rule never holds: in fixed point, units may be dealt for ever.
    stop.rule.steps_max = steps_bound(task);
    return stop;
}

protocols::DealAgreement2 make(const Task& task, model::Notes& notes) {
    notes.constants["units_per_token"] = std::to_string(task.load_scale);
    return {};
}

}  // namespace

Algorithm entry() {
    return {
        .name = "deal-agreement-1",
        .after = "discrepancy-1",
        .title =
            "deal agreement on continuous loads: every node offers half the difference to its "
            "least loaded neighbour",
        .source = theory::cite(theory::papers::dinitz, "Section 2, Algorithm 1"),
        .model = StepModel::multi_port,
        .parameters = {real_parameter("epsilon", "1", {1e-9, 1e9},
                                      "the discrepancy to reach, in tokens; loads are held in "
                                      "units of a power of two below epsilon / (256 diameter)")},
        .guarantee =
            "discrepancy at most epsilon within 3 (2nD + 1) ln(ceil(2nK^2 / epsilon^2)) steps; the "
            "largest and smallest load never move further apart",
        .stop = "discrepancy at most epsilon",
        .anytime = true,
        .load_scale = load_scale,
        .promise = promise,
        .default_stop = default_stop,
        .rounds = plays(make, neighbours()),
    };
}

}  // namespace equipoise::catalogue::entries::deal_agreement_1
