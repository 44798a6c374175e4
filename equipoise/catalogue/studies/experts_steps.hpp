#pragma once
// Placements of experts at each step of a recording, planned one after the other.

#include "equipoise/catalogue/studies/experts.hpp"
#include "equipoise/report/answers/experts_steps.hpp"

namespace equipoise::catalogue {

/// Reads, and plans for the loads of each step in turn, from what the step before left; a layer
/// without loads at a step stays as it is. Progress counts the layers of all steps. Throws as
/// `read_experts` and `plan_layers` do.
[[nodiscard]] report::ExpertsSteps answer_experts_steps(const ExpertsRequest& request,
                                                        const ExpertsControl& control = {});

}  // namespace equipoise::catalogue
