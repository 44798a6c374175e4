#pragma once
// Ranks that are threads of one process: what is written for ranks runs, and is tested, without
// MPI.

#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "equipoise/engine/fabric.hpp"

namespace equipoise::engine {

/// Runs `play(fabric)` on so many threads at once, each with the fabric of one rank, which also has
/// a transport for node programs. Returns when all have ended; then throws what the lowest of the
/// ranks that failed has thrown. Where a rank ends while others still wait for what it brings, they
/// end with std::logic_error at once. Throws std::system_error where there are no threads.
void run_as_threads(int ranks, const std::function<void(Fabric&)>& play);

}  // namespace equipoise::engine
