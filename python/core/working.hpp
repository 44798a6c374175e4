#pragma once
// Long calls: the library works on a thread of its own, without Python's lock, while the calling
// thread waits for it, looks for Ctrl-C and shows progress.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include "python/core/module.hpp"

namespace equipoise::python {

/// One long call into the library.
class Work {
  public:
    /// Tells the work to end: Ctrl-C or an error of `look` requests the stop.
    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

    /// Called about 20 times a second while the work goes on, with Python's lock held.
    std::function<void()> look = {};

    /// Does the work and returns when it is done. Exceptions of the work are rethrown. On Ctrl-C,
    /// or when `look` raises a Python error, asks the work to end, waits for that and throws
    /// KeyboardInterrupt or that error. The caller holds Python's lock.
    ///
    /// Python functions that the work calls are interrupted too, and so are calls into the library
    /// that they make.
    void run(const std::function<void()>& work);

  private:
    [[nodiscard]] bool asked_to_end() const;
    [[nodiscard]] bool done_within(std::chrono::milliseconds time);

    std::stop_source source_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    std::exception_ptr failure_;
    std::atomic<unsigned long> worker_ = 0;  ///< Python's number of the thread that works
};

}  // namespace equipoise::python
