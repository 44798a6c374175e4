// Since when the discrepancy was what it is at the end.
#include <optional>
#include <string>

#include "equipoise/verify/examiner.hpp"

namespace equipoise::verify {

/// What the samples say if they show the loads after every step, or after every round of several.
std::optional<Step> Examiner::sampled_level_since() const {
    const Step round = known_ == nullptr ? 1 : known_->steps_at_once;
    if (record_.samples.size() != record_.costs.steps / round + 1) return std::nullopt;
    Step since = record_.costs.steps;
    for (auto sample = record_.samples.rbegin(); sample != record_.samples.rend(); ++sample) {
        if (sample->discrepancy != record_.final_discrepancy) break;
        since = sample->step;
    }
    return since;
}

void Examiner::check_level_since() {
    const std::optional<Step> found = level_since_ ? level_since_ : sampled_level_since();
    if (!found) leave_open({"level_since"}, "the discrepancy after every step");
    if (!record_.level_since) return;
    const Step since = *record_.level_since;
    std::string wrong;
    if (since > record_.costs.steps)
        wrong = "recorded " + std::to_string(since) + ", after the run's last step";
    if (since == 0 && record_.initial_discrepancy != record_.final_discrepancy)
        wrong = "recorded 0, but the discrepancy was another at the start";
    for (const model::Sample& sample : record_.samples)
        if (wrong.empty() && sample.step >= since &&
            sample.discrepancy != record_.final_discrepancy)
            wrong = "recorded " + std::to_string(since) +
                    ", but the discrepancy was another after step " + std::to_string(sample.step);
    if (wrong.empty() && found && since != *found)
        wrong = "recorded " + std::to_string(since) + ", the discrepancy has held since step " +
                std::to_string(*found);
    note("level since", wrong.empty(), wrong.empty() ? "step " + std::to_string(since) : wrong);
}

}  // namespace equipoise::verify
