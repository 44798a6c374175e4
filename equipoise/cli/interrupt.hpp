#pragma once
// Ctrl-C and other signals.

#include <atomic>
#include <stop_token>
#include <thread>

namespace equipoise::cli {

/// From now on a signal that ends this process leaves no temporary files, and a file that grows
/// beyond the size limit is an error like any other.
void clean_up_on_signals();

/// While it lives, the first Ctrl-C (or SIGTERM, which launchers send) asks the run to end cleanly
/// and the second ends the program. A separate thread waits for the signal, since a handler could
/// not safely touch a stop source.
class InterruptGuard {
  public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

  private:
    void wait();

    std::stop_source source_;
    std::atomic<bool> ending_ = false;
    std::thread thread_;
};

}  // namespace equipoise::cli
