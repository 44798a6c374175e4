#pragma once
// What a run requires of network, loads and options, and why it is refused.

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/preparation.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::catalogue {

/// Throws UnsuitableError if the algorithm does not run on a spanning tree, whichever tree was
/// named.
void expect_takes_tree(const Algorithm& algorithm);

/// The task of a run, after all checks that `run` makes. Throws as `run`. Facts and options must
/// outlive it.
[[nodiscard]] Preparation prepare(const Algorithm& algorithm, const NetworkFacts& facts,
                                  const load::Loads& loads, const RunOptions& options);

}  // namespace equipoise::catalogue
