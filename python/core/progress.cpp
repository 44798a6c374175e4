#include "python/core/progress.hpp"

#include <utility>

namespace equipoise::python {

std::function<void(const model::Progress&)> ProgressRelay::callback(const std::string& name) {
    if (show_.is_none()) return {};
    return [this, name](const model::Progress& progress) {
        const std::lock_guard lock(mutex_);
        name_ = name;
        latest_ = progress;
    };
}

void ProgressRelay::look() {
    std::string name;
    std::optional<model::Progress> latest;
    {
        const std::lock_guard lock(mutex_);
        name = name_;
        std::swap(latest, latest_);
    }
    if (!latest) return;
    const py::object most =
        latest->steps_max == ~Step{0} ? py::object(py::none()) : py::int_(latest->steps_max);
    show_(name, latest->steps, most, latest->initial_discrepancy, latest->discrepancy);
}

}  // namespace equipoise::python
