#pragma once
// Rules that end by the clock: for how many steps they run.

#include <map>
#include <string>

#include "equipoise/catalogue/algorithm.hpp"

namespace equipoise::catalogue::entries {

/// The parameter `rounds`: 0 lets the eigenvalue gap say.
[[nodiscard]] Parameter rounds_parameter();

/// Throws UnsuitableError unless the network is connected, and, where `rounds` is 0, small enough
/// for its eigenvalue gap to be computed in seconds.
void expect_smoothing(const Task& task);

/// `rounds`, or the rounds (2 / gap) ln(K n^2) after which the idealised first-order diffusion is
/// 1-smooth (Rabani, Sinclair, Wanka 1998, Theorem 1). Notes the gap. Throws UnsuitableError when
/// the gap is too small to be told from 0.
[[nodiscard]] Step smoothing_rounds(const Task& task,
                                    std::map<std::string, std::string>& constants);

/// The default stop rule of rules that end by themselves.
[[nodiscard]] DefaultStop stop_by_itself(const Task& task);

}  // namespace equipoise::catalogue::entries
