#include "python/core/working.hpp"

namespace equipoise::python {

bool Work::done_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return done_; });
}

void Work::run(const std::function<void()>& work) {
    constexpr std::chrono::milliseconds glance{50};
    std::exception_ptr interrupted;
    std::thread thread([&] {
        std::exception_ptr failure;
        try {
            work();
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        failure_ = failure;
        done_ = true;
        changed_.notify_all();
    });
    for (bool done = false; !done;) {
        {
            const py::gil_scoped_release released;
            done = done_within(glance);
        }
        if (interrupted) continue;
        try {
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
            if (look) look();
        } catch (const py::error_already_set&) {
            interrupted = std::current_exception();
            source_.request_stop();
        }
    }
    thread.join();
    if (interrupted) std::rethrow_exception(interrupted);
    if (failure_) std::rethrow_exception(failure_);
}

}  // namespace equipoise::python
