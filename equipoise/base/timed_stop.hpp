#pragma once
// A stop token that is also requested when a time has come.

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>

namespace equipoise {

/// Has a token that is asked to stop at a point in time, or when another token is. A thread waits
/// for that time and ends with the object, after which the time no longer stops anything.
class TimedStop {
  public:
    using Clock = std::chrono::steady_clock;

    /// Without a time, the token is the other one.
    TimedStop(std::stop_token also, std::optional<Clock::time_point> when);
    TimedStop(const TimedStop&) = delete;
    TimedStop& operator=(const TimedStop&) = delete;
    ~TimedStop() = default;

    [[nodiscard]] std::stop_token token() const { return token_; }
    /// Whether the time has come.
    [[nodiscard]] bool is_late() const { return when_ && Clock::now() >= *when_; }

  private:
    std::optional<Clock::time_point> when_;
    std::stop_source source_;
    std::stop_token token_;
    std::optional<std::stop_callback<std::function<void()>>> also_;
    std::jthread clock_;
};

/// The time that planning may take, of which each stage gets a part.
class TimeLimit {
  public:
    using Clock = TimedStop::Clock;

    /// It begins now; without seconds it has no end.
    explicit TimeLimit(std::optional<double> seconds);

    /// Seconds of this part of what is left, at least 0; nothing without an end.
    [[nodiscard]] std::optional<double> left(double part = 1) const;
    /// When this part of what is left will be over.
    [[nodiscard]] std::optional<Clock::time_point> after(double part) const;

  private:
    std::optional<Clock::time_point> end_;
};

}  // namespace equipoise
