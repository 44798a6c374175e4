#include "equipoise/analysis/deviation.hpp"

#include <cmath>

namespace equipoise::analysis {

void DeviationObserver::on_start(const model::StepView& view) {
    loads_.assign(view.loads.begin(), view.loads.end());
    next_.resize(loads_.size());
    largest_ = 0;
    largest_at_ = view.costs.steps;
}

void DeviationObserver::on_step(const model::StepView& view) {
    // A run may be told of the end of an unfinished round.
    if (view.costs.steps % round_length_ != 0) return;
    if (const auto* diffusion = std::get_if<DiffusionMatrix>(&matrix_)) {
        diffusion->apply(loads_, next_);
        loads_.swap(next_);
    } else {
        std::get<CircuitMatrix>(matrix_).apply(loads_);
    }
    for (std::size_t node = 0; node < loads_.size(); ++node) {
        const double deviation = std::abs(static_cast<double>(view.loads[node]) - loads_[node]);
        if (deviation <= largest_) continue;
        largest_ = deviation;
        largest_at_ = view.costs.steps;
    }
}

}  // namespace equipoise::analysis
