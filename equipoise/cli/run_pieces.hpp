#pragma once
// `run --in-pieces`: every rank holds its piece of network and loads.

#include "equipoise/catalogue/runner/checkpoints.hpp"
#include "equipoise/catalogue/runner/pieces.hpp"
#include "equipoise/cli/options.hpp"

namespace equipoise::cli {

class Ranks;

/// Runs on all ranks (or alone), saves the state as `kept` asks, and lets rank 0 report the
/// outcome; returns the exit status.
[[nodiscard]] int run_pieces(catalogue::PiecesRequest request, catalogue::CheckpointRequest kept,
                             const NetworkArguments& network, const JsonArgument& json, bool quiet,
                             const Ranks& ranks);

}  // namespace equipoise::cli
