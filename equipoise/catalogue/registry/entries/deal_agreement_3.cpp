#include "equipoise/protocols/deal_agreement_3.hpp"

#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/theory/deal_agreement.hpp"

namespace equipoise::catalogue::entries::deal_agreement_3 {

namespace {

using protocols::Acceptance;
using protocols::DealAgreement3;

Acceptance acceptance_of(const Parameters& parameters) {
    const std::string& word = parameters.word("acceptance");
    if (word == "minimal-repair") return Acceptance::minimal_repair;
    return word == "as-printed" ? Acceptance::as_printed : Acceptance::residual_drain;
}

Step steps_bound(const Task& task) {
    const std::uint64_t by_theorem =
        theory::deal_agreement_3_rounds(task.loads.size(), load::discrepancy(task.loads));
    return steps_until_quiet(task, by_theorem, DealAgreement3::phases);
}

/// Theorem 3's proof rests on Lemma 10, which the printed acceptance breaks.
model::Guarantee promise(const Task& task) {
    if (acceptance_of(task.parameters) == Acceptance::as_printed) return {};
    return {theory::one_balanced_discrepancy(task.facts.diameter().upper), steps_bound(task),
            theory::cite_theorem(theory::papers::dinitz, "Theorem 3") +
                " (acceptance of offers repaired)"};
}

DefaultStop default_stop(const Task& task) {
    DefaultStop stop = stop_when_quiet(DealAgreement3::phases);
    if (acceptance_of(task.parameters) == Acceptance::as_printed)
        stop.rule.steps_max = steps_bound(task);
    return stop;
}

DealAgreement3 make(const Parameters& parameters) {
    return DealAgreement3(acceptance_of(parameters));
}

}  // namespace

Algorithm entry() {
    return {
        .name = "deal-agreement-3",
        .after = "deal-agreement-2",
        .title =
            "deal agreement with many offers: every node distributes tokens among all its emptier "
            "neighbours",
        .source = theory::cite(theory::papers::dinitz, "Section 3, Algorithm 3"),
        .model = StepModel::multi_port,
        .parameters = {word_parameter(
            "acceptance", {"residual-drain", "minimal-repair", "as-printed"},
            "what a node takes of the offers: residual-drain (units from the fullest proposer), "
            "minimal-repair (whole offers, fullest proposer first), as-printed (demonstration: the "
            "potential may rise)")},
        .guarantee =
            "neighbours differ by at most 1, hence discrepancy at most the diameter, within 3 "
            "(floor(Phi / 2) + 1) steps; the largest and smallest load never move further apart; "
            "none for as-printed",
        .stop =
            "a round without a deal; with acceptance=as-printed, also after the most steps that "
            "the repaired rules could need",
        .anytime = true,
        .goal_one_balanced = true,
        .promise = promise,
        .default_stop = default_stop,
        .stop_by_rows = stop_after_quiet_steps<DealAgreement3::phases>,
        .rounds = plays(make, neighbours()),
    };
}

}  // namespace equipoise::catalogue::entries::deal_agreement_3
