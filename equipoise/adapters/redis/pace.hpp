#pragma once
// Rates of giving and taking, kept by waiting.

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "equipoise/adapters/redis/cluster.hpp"

namespace equipoise::redis {

/// What a master sends, and what it takes in, stays below its rate from one wait to the next. For
/// several threads.
class Pace {
  public:
    Pace(std::vector<double> gives_a_second, std::vector<double> takes_a_second)
        : gives_(std::move(gives_a_second)), takes_(std::move(takes_a_second)) {
        free_to_give_.assign(gives_.size(), Clock::now());
        free_to_take_.assign(takes_.size(), Clock::now());
    }

    /// Waits until so many bytes may go.
    void wait(MasterId from, MasterId to, double bytes) {
        std::this_thread::sleep_until(reserve(from, to, bytes));
    }

  private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] Clock::time_point reserve(MasterId from, MasterId to, double bytes) {
        const std::lock_guard lock(mutex_);
        Clock::time_point begin = Clock::now();
        if (!gives_.empty()) begin = std::max(begin, free_to_give_[from]);
        if (!takes_.empty()) begin = std::max(begin, free_to_take_[to]);
        if (!gives_.empty()) free_to_give_[from] = begin + time_of(bytes, gives_[from]);
        if (!takes_.empty()) free_to_take_[to] = begin + time_of(bytes, takes_[to]);
        return begin;
    }

    /// No time at all where there is no limit (a rate of 0 stands for none, as does infinity).
    [[nodiscard]] static Clock::duration time_of(double bytes, double rate) {
        constexpr double longest = 1e9;
        const double seconds = rate > 0 ? std::min(bytes / rate, longest) : 0;
        return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    std::mutex mutex_;
    std::vector<double> gives_;
    std::vector<double> takes_;
    std::vector<Clock::time_point> free_to_give_;
    std::vector<Clock::time_point> free_to_take_;
};

}  // namespace equipoise::redis
