#pragma once
// The smallest load of a run whose rule lets loads fall below 0.

#include <algorithm>
#include <vector>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/model/run/observer.hpp"

namespace equipoise::catalogue {

class LeastLoad final : public model::Observer {
  public:
    void on_start(const model::StepView& view) override { look(view); }
    void on_step(const model::StepView& view) override { look(view); }
    /// In units of the run's loads.
    [[nodiscard]] Tokens value() const { return least_; }

  private:
    void look(const model::StepView& view) {
        if (!view.loads.empty())
            least_ = std::min(least_, *std::min_element(view.loads.begin(), view.loads.end()));
    }
    Tokens least_ = tokens_max;
};

/// Plays a run that `least` observes too.
[[nodiscard]] inline engine::RoundOutcome play_observed(LeastLoad& least,
                                                        const engine::RoundOptions& options,
                                                        const Play& play) {
    std::vector<model::Observer*> observers(options.observers.begin(), options.observers.end());
    observers.push_back(&least);
    engine::RoundOptions observed = options;
    observed.observers = observers;
    return play(observed);
}

}  // namespace equipoise::catalogue
