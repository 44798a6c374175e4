// A stop rule of your own: enough is enough when no node holds a tenth more than its share.
// Build: the target example_own_stop_rule, or as examples/README.md says.
// Look at LevelEnough: an observer that asks the run to end, which ends after that very step.

#include <algorithm>
#include <iostream>
#include <numeric>
#include <stop_token>

#include <equipoise/catalogue/runner/supervision.hpp>
#include <equipoise/equipoise.hpp>
#include <equipoise/model/run/observer.hpp>

namespace model = equipoise::model;

class LevelEnough final : public model::Observer {
  public:
    void on_start(const model::StepView& view) override {
        share_ = std::accumulate(view.loads.begin(), view.loads.end(), 0.0) /
                 static_cast<double>(view.loads.size());
    }
    void on_step(const model::StepView& view) override {
        const auto largest = static_cast<double>(*std::ranges::max_element(view.loads));
        if (largest <= 1.1 * share_) stop_.request_stop();
    }
    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

  private:
    std::stop_source stop_;
    double share_ = 0;
};

int main() {
    const auto network = equipoise::network::generate("torus:32x32", 0);
    const auto loads = equipoise::load::make_loads("spike:tokens=1024000", network, 0);
    std::cout << "algorithm: steps until no node has a tenth too much, and until the end\n";
    for (const char* algorithm : {"diffusion", "deal-agreement-2", "dimension-exchange"}) {
        LevelEnough enough;
        const equipoise::catalogue::Supervision supervision = {.interrupt = enough.token(),
                                                               .observers = {&enough}};
        equipoise::RunOptions options;
        options.supervision = &supervision;
        const auto soon = equipoise::run(algorithm, network, loads, options);
        const auto late = equipoise::run(algorithm, network, loads);
        std::cout << algorithm << ": " << soon.steps() << " and " << late.steps() << '\n';
    }
}
