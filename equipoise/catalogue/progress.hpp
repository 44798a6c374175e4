#pragma once
// The observer that reports how far a run has come.

#include <chrono>
#include <functional>

#include "equipoise/catalogue/run.hpp"
#include "equipoise/model/run/observer.hpp"

namespace equipoise::catalogue {

/// Calls back a few times a second: the number of steps between two calls is measured, not guessed.
class ProgressObserver final : public model::Observer {
  public:
    ProgressObserver(const std::function<void(const Progress&)>& call, Step steps_max,
                     std::uint64_t load_scale);

    [[nodiscard]] Step next_wanted(Step done) const override { return done + stride_; }
    void on_start(const model::StepView& view) override;
    void on_step(const model::StepView& view) override;

  private:
    using Clock = std::chrono::steady_clock;

    const std::function<void(const Progress&)>& call_;
    Progress progress_;
    Tokens load_scale_;
    Step stride_ = 1;
    Clock::time_point start_;
    Clock::time_point last_look_;
    Clock::time_point last_call_;
};

}  // namespace equipoise::catalogue
