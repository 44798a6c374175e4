#pragma once
// The words of reasons.

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// "3 items", or "12.5 of disk".
[[nodiscard]] std::string amount_words(const Problem& problem, std::size_t resource, Int128 amount);

/// The names of the first few machines, and how many others there are: "a, b, c and 2 others".
[[nodiscard]] std::string some_machines(const Problem& problem,
                                        std::span<const MachineId> machines);

/// What each machine must do, the largest amounts first, few of them one by one: "a 3 items
/// (drained), b 2 items, 5 others 7 items". The amounts are above 0.
[[nodiscard]] std::string shares_words(const Problem& problem, std::size_t resource,
                                       std::vector<std::pair<MachineId, Int128>> amounts);

/// Appends a reason to others.
void add_reason(std::string& reasons, const std::string& reason);

}  // namespace equipoise::reassign
