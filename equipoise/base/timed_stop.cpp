#include "equipoise/base/timed_stop.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace equipoise {

TimedStop::TimedStop(std::stop_token also, std::optional<Clock::time_point> when) : when_(when) {
    if (!when) {
        token_ = std::move(also);
        return;
    }
    token_ = source_.get_token();
    also_.emplace(std::move(also), [source = source_]() mutable { source.request_stop(); });
    if (is_late()) {
        source_.request_stop();
        return;
    }
    clock_ = std::jthread([source = source_, when = *when](const std::stop_token& end) mutable {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any woken;
        woken.wait_until(lock, end, when, [] { return false; });
        if (!end.stop_requested()) source.request_stop();
    });
}

TimeLimit::TimeLimit(std::optional<double> seconds) {
    if (!seconds) return;
    // Longer than any clock goes: no limit.
    constexpr double seconds_most = 1e9;
    if (*seconds < seconds_most)
        end_ = Clock::now() +
               std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*seconds));
}

std::optional<double> TimeLimit::left(double part) const {
    if (!end_) return std::nullopt;
    return part * std::max(std::chrono::duration<double>(*end_ - Clock::now()).count(), 0.0);
}

std::optional<TimeLimit::Clock::time_point> TimeLimit::after(double part) const {
    if (!end_) return std::nullopt;
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*left(part)));
}

}  // namespace equipoise
