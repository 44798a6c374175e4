#pragma once
// Plans of experts at each step of a recording, in words, as CSV and as JSON.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/replication/transfers.hpp"
#include "equipoise/report/answers/experts.hpp"

namespace equipoise::report {

/// One layer at one step.
struct ExpertsAtStep {
    std::uint64_t layer = 0;  ///< its number
    ExpertsFigures figures;   ///< of this layer alone
    /// The largest GPU over the mean, had the placement stayed as it was before the first step (if
    /// nothing was there, as the first step made it).
    double kept = 0;
};

/// A transfer of a step.
struct ExpertsTransfer {
    std::uint64_t layer = 0;
    replication::Transfer transfer;
};

/// A plan at one step, from the placement that the step before left.
struct ExpertsStep {
    std::uint64_t number = 0;           ///< in the recording, from 0
    std::vector<ExpertsAtStep> layers;  ///< those with loads at this step
    std::vector<ExpertsTransfer> transfers;
};

/// What layers of a step, or of several, come to.
struct ExpertsSums {
    ExpertsFigures figures;  ///< means are over all layers of all steps
    ExpertsLevel kept;
};
[[nodiscard]] ExpertsSums sums_of(std::span<const ExpertsStep> steps);

/// A plan at each step of a recording.
struct ExpertsSteps {
    std::string loads;  ///< the file of loads
    std::uint32_t experts = 0;
    ExpertsMachines machines;
    double bound = 1.05;
    std::vector<ExpertsStep> steps;
    experts::Placement planned;  ///< as the last step leaves it, to be written in its form
    std::vector<std::string> notes;
    std::vector<std::string> reasons;  ///< of the bounds, in words, where they are few

    /// Whether every layer is within the bound at every step, for certain.
    [[nodiscard]] bool reached() const;
    /// How many steps copy something.
    [[nodiscard]] std::size_t steps_with_copies() const;
};

/// A plan for one set of loads as one step.
[[nodiscard]] ExpertsSteps as_one_step(const ExpertsAnswer& answer);

/// The layers that are planned, as they are at a step; without `kept`.
[[nodiscard]] ExpertsStep experts_step(std::uint64_t number, std::span<const ExpertsLayer> layers,
                                       const ExpertsMachines& machines);

/// "day.json: 24 steps of 4 layers, 32 experts on 8 GPUs of 5 slots".
[[nodiscard]] std::string experts_steps_title(const ExpertsSteps& answer);

/// Names and values in words.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> experts_steps_lines(
    const ExpertsSteps& answer);

/// For people: the lines, and a row for each step, at most `rows_max`. Ends with a newline.
[[nodiscard]] std::string experts_text(const ExpertsSteps& answer, const ExpertsFiles& files,
                                       bool plain, std::size_t rows_max = 48);

/// The same and every layer for scripts (schemas/equipoise-experts-steps.json). Ends with a
/// newline.
[[nodiscard]] std::string experts_json(const ExpertsSteps& answer);

/// A line for each step, with the columns step, layers, kept, kept_worst, before, before_worst,
/// after, after_worst, at_least, at_least_worst, within, copied, copied_at_least, waves,
/// waves_at_least. Levels of what is not there are empty.
[[nodiscard]] std::string experts_csv(const ExpertsSteps& answer);

/// A line for each transfer, with the columns step, layer, wave, expert, from, to.
[[nodiscard]] std::string transfers_csv(const ExpertsSteps& answer);

}  // namespace equipoise::report
