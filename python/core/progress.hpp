#pragma once
// Progress of a run from the thread that runs it to a Python function.

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "equipoise/model/run/progress.hpp"
#include "python/core/module.hpp"

namespace equipoise::python {

/// Holds the latest progress until the calling thread looks.
class ProgressRelay {
  public:
    /// `show(name, steps, steps_max, initial_discrepancy, discrepancy)`, or None.
    explicit ProgressRelay(py::object show) : show_(std::move(show)) {}

    /// The callback for the run of this name; null if progress is not shown.
    [[nodiscard]] std::function<void(const model::Progress&)> callback(const std::string& name);
    /// Shows the latest progress, if it is new. Needs Python's lock.
    void look();

  private:
    py::object show_;
    std::mutex mutex_;
    std::string name_;
    std::optional<model::Progress> latest_;
};

}  // namespace equipoise::python
