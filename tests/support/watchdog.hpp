#pragma once
// Turns a hang into a failure with a name.

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::test {

/// Aborts the program, and says where, unless it is destroyed in time.
class Watchdog {
  public:
    explicit Watchdog(std::string what, std::chrono::seconds patience = std::chrono::seconds(60))
        : watching_([this, what = std::move(what), patience](const std::stop_token& stop) {
              std::unique_lock lock(mutex_);
              if (woken_.wait_for(lock, stop, patience, [&] { return stop.stop_requested(); }))
                  return;
              std::fprintf(stderr, "still waiting after %lld s: %s\n",
                           static_cast<long long>(patience.count()), what.c_str());
              const bool in_time = false;
              EQUIPOISE_ASSERT(in_time);
          }) {}

  private:
    std::mutex mutex_;
    std::condition_variable_any woken_;
    std::jthread watching_;
};

}  // namespace equipoise::test
