#pragma once
// How a caller follows a run and stops it.

#include <functional>
#include <stop_token>
#include <vector>

#include "equipoise/model/run/observer.hpp"
#include "equipoise/model/run/progress.hpp"

namespace equipoise::engine {
class Keeper;
}  // namespace equipoise::engine

namespace equipoise::catalogue {

/// Apart from RunOptions, since most runs need none of it and the headers are costly to compile.
struct Supervision {
    /// Ends the run in the middle; its record says so. If an observer requests the stop,
    /// synchronous rounds end after the step that it has just seen.
    std::stop_token interrupt = {};
    /// Called by the running thread several times a second, and not at all in short runs.
    std::function<void(const model::Progress&)> progress = {};
    /// Look at the run; loads that they see are in units of 1 / `load_scale` tokens. Must outlive
    /// the run. On several ranks only those of rank 0 are called.
    std::vector<model::Observer*> observers = {};
    /// Saves the state of synchronous rounds, or restores one. Null: nothing is saved.
    engine::Keeper* keeper = nullptr;
};

}  // namespace equipoise::catalogue
