#pragma once
// Ranks as threads of one process: code that is written for ranks runs, and is tested, without MPI.

#include <functional>

#include "equipoise/engine/fabric.hpp"

namespace equipoise::engine {

/// Runs `play(fabric)` on `ranks` threads at once, each with the fabric of one rank. Returns when
/// all have ended; if some failed, rethrows the exception of the lowest of them. If a rank ends
/// while others still wait for it, those end at once with std::logic_error; so do ranks that look
/// for parcels after a rank has failed. Throws std::system_error if threads cannot be started.
void run_as_threads(int ranks, const std::function<void(Fabric&)>& play);

}  // namespace equipoise::engine
