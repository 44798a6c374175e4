#pragma once
// What the entries of SEND share: the divisor D.

#include "equipoise/catalogue/registry/algorithm.hpp"

namespace equipoise::catalogue {

/// The parameter `divisor`, by default this many times the largest degree.
[[nodiscard]] Parameter divisor_parameter(Tokens times_degree);

/// Delta, or 1 where there are no links.
[[nodiscard]] Tokens largest_degree(const Task& task);

/// D: the parameter or, if that is 0, this many times the largest degree.
[[nodiscard]] Tokens divisor_of(const Task& task, Tokens times_degree);

/// Throws UnsuitableError unless the network is connected and the parameter is 0 or at least this
/// many times the largest degree, so that no node sends more than it has.
void expect_divisor(const Task& task, Tokens times_degree);

}  // namespace equipoise::catalogue
