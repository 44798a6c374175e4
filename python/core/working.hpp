#pragma once
// Long calls: the library works on a thread of its own, without Python's lock, while the calling
// thread waits for it, looks for Ctrl-C and shows progress.

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <set>
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

    /// Does a part of the work on a thread that the work has started, so that Python functions that
    /// it calls there are interrupted as well.
    void run_part(const std::function<void()>& part);

  private:
    [[nodiscard]] bool asked_to_end() const;
    [[nodiscard]] bool done_within(std::chrono::milliseconds time);
    /// Interrupts the Python functions that the work is calling; the caller holds Python's lock.
    void interrupt_workers();

    std::stop_source source_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    std::exception_ptr failure_;
    std::set<unsigned long> workers_;  ///< Python's numbers of the threads that work
};

}  // namespace equipoise::python
