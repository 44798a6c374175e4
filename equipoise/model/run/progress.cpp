#include "equipoise/model/run/progress.hpp"

#include "equipoise/load/loads.hpp"

namespace equipoise::model {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds between_calls{200};
constexpr milliseconds between_looks{20};

}  // namespace

ProgressObserver::ProgressObserver(const std::function<void(const Progress&)>& call, Step steps_max,
                                   std::uint64_t load_scale)
    : call_(call), load_scale_(static_cast<Tokens>(load_scale)) {
    progress_.steps_max = steps_max;
}

void ProgressObserver::on_start(const model::StepView& view) {
    start_ = last_look_ = last_call_ = Clock::now();
    progress_.steps_before = view.costs.steps;
    progress_.initial_discrepancy = load::discrepancy(view.loads) / load_scale_;
}

void ProgressObserver::on_step(const model::StepView& view) {
    const Clock::time_point now = Clock::now();
    if (now - last_look_ < between_looks / 2) stride_ *= 2;
    if (now - last_look_ > between_looks * 2 && stride_ > 1) stride_ /= 2;
    last_look_ = now;
    if (now - last_call_ < between_calls) return;
    last_call_ = now;
    progress_.steps = view.costs.steps;
    progress_.discrepancy = load::discrepancy(view.loads) / load_scale_;
    progress_.seconds = std::chrono::duration<double>(now - start_).count();
    call_(progress_);
}

}  // namespace equipoise::model
