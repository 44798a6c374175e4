#pragma once
// A plan as text.

#include <string>

#include "equipoise/network/any_network.hpp"
#include "equipoise/optimum/plan.hpp"

namespace equipoise::report {

/// What the text says besides the plan's figures.
struct PlanWords {
    std::string target;    ///< as it was asked for
    bool is_mean = false;  ///< whether every node is to end with floor or ceiling of the mean
    std::string schedule;  ///< the file that holds it; empty: none
    bool explain = false;  ///< also why no schedule is shorter
};

[[nodiscard]] std::string plan_text(const optimum::Plan& plan, const optimum::Problem& problem,
                                    const network::AnyNetwork& named, const PlanWords& words);

}  // namespace equipoise::report
