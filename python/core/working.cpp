#include "python/core/working.hpp"

namespace equipoise::python {

namespace {

/// The call on whose behalf this thread works, if any.
thread_local const Work* enclosing = nullptr;

/// Takes Python's lock again. When a program ends while other threads work, Python ends threads
/// that ask for the lock by unwinding them; here that would end the whole program with an error. So
/// they wait instead.
void take_lock(PyThreadState* state) {
    try {
        PyEval_RestoreThread(state);
    } catch (...) {
        for (;;)
            std::this_thread::sleep_for(std::chrono::hours(1));
    }
}

}  // namespace

bool Work::asked_to_end() const {
    return source_.stop_requested();
}

bool Work::done_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return done_; });
}

void Work::run_part(const std::function<void()>& part) {
    /// Says on whose behalf a thread works.
    struct Part {
        explicit Part(Work& all) : all_(all), thread_(PyThread_get_thread_ident()) {
            enclosing = &all;
            const std::lock_guard lock(all_.mutex_);
            all_.workers_.insert(thread_);
        }
        Part(const Part&) = delete;
        Part& operator=(const Part&) = delete;
        Part(Part&&) = delete;
        Part& operator=(Part&&) = delete;
        ~Part() {
            enclosing = nullptr;
            const std::lock_guard lock(all_.mutex_);
            all_.workers_.erase(thread_);
        }

        Work& all_;
        unsigned long thread_;
    };
    const Part self(*this);
    part();
}

void Work::interrupt_workers() {
    const std::lock_guard lock(mutex_);
    for (const unsigned long worker : workers_)
        PyThreadState_SetAsyncExc(worker, PyExc_KeyboardInterrupt);
}

void Work::run(const std::function<void()>& work) {
    constexpr std::chrono::milliseconds glance{50};
    const Work* const outer = enclosing;
    std::exception_ptr interrupted;
    std::thread thread([&] {
        std::exception_ptr failure;
        try {
            run_part(work);
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        failure_ = failure;
        done_ = true;
        changed_.notify_all();
    });
    for (bool done = false; !done;) {
        PyThreadState* const state = PyEval_SaveThread();
        done = done_within(glance);
        take_lock(state);
        if (interrupted) {
            // A rule of the caller's may run for ever; if no Python code runs, this does nothing.
            if (!done) interrupt_workers();
            continue;
        }
        try {
            if (outer != nullptr && outer->asked_to_end()) PyErr_SetNone(PyExc_KeyboardInterrupt);
            if (PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0)
                throw py::error_already_set();
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
