#pragma once
// What searches for the fewest steps find.

#include <optional>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/optimum/certificate.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

/// An enclosure of T_off, the fewest steps, with a proof of either end.
struct EnclosedSteps {
    Step bound = 0;               ///< Theorem 1
    Step at_least = 0;            ///< no schedule has fewer steps
    std::optional<Step> at_most;  ///< nothing if no schedule was found
    /// Why at_least - 1 steps are too few: a cut whose zones follow one another, or one that nodes
    /// join. Neither if at_least is 0.
    Certificate certificate;
    std::optional<CutOverTime> cut;
    /// Why *at_most steps are enough: a schedule, without swaps and cycles inside a step, or a flow
    /// over time.
    std::vector<FatStep> steps;
    std::optional<FlowOverTime> flow;
    std::string open;  ///< why the two ends do not meet; empty if they do

    [[nodiscard]] bool exact() const { return at_most && *at_most == at_least; }

    /// Takes a proof of a higher lower end.
    void raise(Step steps, Certificate proof);
    void raise(Step steps, CutOverTime proof);
    /// Takes a proof of a lower upper end.
    void lower(Step steps_enough, std::vector<FatStep> proof);
    void lower(Step steps_enough, FlowOverTime proof);
};

/// Why a search ended that was asked to stop.
inline constexpr const char* asked_to_stop = "the search was asked to stop";
/// Why a search ended that needs more memory than it may have: with an upper end, and without one.
inline constexpr const char* memory_ran_out = "the memory allowed ran out";
inline constexpr const char* no_schedule_in_memory = "no schedule found within the memory limit";

}  // namespace equipoise::optimum
