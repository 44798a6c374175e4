#pragma once
// Checks that an assignment is a best one, by its prices alone (see assignment.hpp).

#include <span>
#include <string>

#include "equipoise/placement/assignment.hpp"

namespace equipoise::placement {

/// What is wrong with the claim that no assignment gains more than this one; empty if nothing is.
/// Shares no code with the search for assignments. Cost O(parts + ranks + gains * log gains).
[[nodiscard]] std::string fault_of(const PartsOnRanks& claim, std::span<const int> capacity,
                                   std::span<const Gain> gains);

}  // namespace equipoise::placement
