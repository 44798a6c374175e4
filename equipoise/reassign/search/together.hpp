#pragma once
// What the threads of a search have in common.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/search/search.hpp"

namespace equipoise::reassign {

/// The clock, the iterations and the best score of all threads; tells whoever wants to know.
class Together {
  public:
    using Clock = std::chrono::steady_clock;

    Together(const SearchOptions& options, const Score& start) : options_(options), best_(start) {
        if (options.seconds)
            deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(*options.seconds));
    }

    [[nodiscard]] std::optional<Clock::time_point> deadline() const { return deadline_; }
    /// Hears from a thread what it has done since it spoke last.
    bool goes_on(unsigned thread, std::uint64_t more, const Score& best) {
        const std::uint64_t done = iterations_.fetch_add(more, std::memory_order_relaxed) + more;
        if (options_.progress) tell(thread, done, best);
        // A search by effort is the same in every run, whatever its threads find when.
        if (found_ && !options_.effort) return false;
        return !options_.stop.stop_requested() && (!deadline_ || Clock::now() < *deadline_);
    }
    /// A thread has found what is good enough.
    void found() { found_ = true; }

  private:
    void tell(unsigned thread, std::uint64_t done, const Score& best) {
        const std::scoped_lock lock(mutex_);
        best_ = std::min(best_, best);
        const Clock::time_point now = Clock::now();
        if (thread != 0 || now < told_ + std::chrono::milliseconds(100)) return;
        told_ = now;
        options_.progress(best_, done);
    }

    const SearchOptions& options_;
    std::optional<Clock::time_point> deadline_;
    std::atomic<std::uint64_t> iterations_ = 0;
    std::atomic<bool> found_ = false;
    std::mutex mutex_;
    Score best_;
    Clock::time_point told_ = Clock::now();
};

/// Calls `run` with 0 to threads - 1, each on a thread of its own; rethrows what one of them
/// throws, after all have ended.
void on_threads(unsigned threads, const std::function<void(unsigned)>& run);

/// The part of an effort that a thread gets.
[[nodiscard]] inline std::optional<std::uint64_t> effort_of(const SearchOptions& options,
                                                            unsigned thread, unsigned threads) {
    if (!options.effort) return {};
    return *options.effort / threads + (thread < *options.effort % threads ? 1 : 0);
}

/// As many threads as are asked for and the limit suffices for, of which each takes `each` bytes
/// beside `shared`: what this machine has does not change it, so that results do not depend on it.
/// Throws UnsuitableError if there is no room for one.
[[nodiscard]] unsigned thread_count(const Problem& problem, const SearchOptions& options,
                                    std::uint64_t each, std::uint64_t shared);

}  // namespace equipoise::reassign
