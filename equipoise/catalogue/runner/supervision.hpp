#pragma once
// How a caller follows a run and stops it.

#include <functional>
#include <stop_token>

#include "equipoise/model/run/progress.hpp"

namespace equipoise::catalogue {

/// Apart from RunOptions, since most runs need neither and the headers are costly to compile.
struct Supervision {
    /// Ends the run in the middle; its record says so.
    std::stop_token interrupt = {};
    /// Called by the running thread several times a second, and not at all in short runs.
    std::function<void(const model::Progress&)> progress = {};
};

}  // namespace equipoise::catalogue
