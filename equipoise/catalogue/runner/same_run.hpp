#pragma once
// Checks that all ranks are about to play the same run.

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::catalogue {

/// Throws InputError, on every rank of `options.fabric`, if a rank would run something other than
/// rank 0: another algorithm, other links or loads, or another value of an option, which the error
/// names (files are compared by contents). Threads, progress and the level of records may differ.
/// Does nothing without a fabric. Collective. Cost O(nodes + links) and one message per rank.
void expect_same_run(const Algorithm& algorithm, const NetworkFacts& facts,
                     const load::Loads& loads, const RunOptions& options);

}  // namespace equipoise::catalogue
