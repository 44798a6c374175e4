#pragma once
// How far a run has come, for progress displays.

#include <chrono>
#include <functional>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/run/observer.hpp"

namespace equipoise::model {

/// A moment of a run.
struct Progress {
    Step steps = 0;
    Step steps_before = 0;  ///< the step from which the run was resumed, or 0
    Step steps_max = 0;     ///< the cap on steps; the largest number if there is none
    Tokens initial_discrepancy = 0;
    Tokens discrepancy = 0;
    double seconds = 0;  ///< since the run began
};

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

}  // namespace equipoise::model
