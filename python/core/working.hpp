#pragma once
// Long calls: the library works on a thread of its own, without Python's lock, while the calling
// thread waits for it, looks for Ctrl-C and shows progress.

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include "python/core/module.hpp"

namespace equipoise::python {

/// One long call.
class Work {
  public:
    /// What to end when the caller presses Ctrl-C.
    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

    /// Called with Python's lock several times a second while the work goes on.
    std::function<void()> look = {};

    /// Does it, and returns when it is done. Throws what it throws; on Ctrl-C asks it to end, waits
    /// for that and throws KeyboardInterrupt. Python's lock is held by the caller.
    void run(const std::function<void()>& work);

  private:
    [[nodiscard]] bool done_within(std::chrono::milliseconds time);

    std::stop_source source_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    std::exception_ptr failure_;
};

}  // namespace equipoise::python
