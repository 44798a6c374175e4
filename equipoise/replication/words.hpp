#pragma once
// Numbers in reasons.

#include <string>

#include "equipoise/base/tokens.hpp"
#include "equipoise/replication/problem.hpp"

namespace equipoise::replication {

/// A load as a multiple of what machines hold on average, to four decimals: "1.3172".
[[nodiscard]] std::string times_mean(const Problem& problem, Tokens load);

}  // namespace equipoise::replication
