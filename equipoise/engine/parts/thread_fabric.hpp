#pragma once
// Ranks that are threads of one process: what is written for ranks runs, and is tested, without
// MPI.

#include <functional>

#include "equipoise/engine/fabric.hpp"

namespace equipoise::engine {

/// Runs `play(fabric)` on so many threads at once, each with the fabric of one rank. Returns when
/// all have ended; then throws what the lowest of the ranks that failed has thrown. Where a rank
/// ends while others still wait for what it brings, they end with std::logic_error at once, and so
/// do those who look for parcels when a rank has failed. Throws std::system_error where there are
/// no threads.
void run_as_threads(int ranks, const std::function<void(Fabric&)>& play);

}  // namespace equipoise::engine
