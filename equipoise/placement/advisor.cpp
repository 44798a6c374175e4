#include "equipoise/placement/advisor.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "equipoise/base/error.hpp"

namespace equipoise::placement {

void Advisor::Line::add(double largest, double average) {
    const double middle = work + average / 2;
    work += average;
    load += largest;
    work_moment += average * middle;
    work_square += average * (middle * middle + average * average / 12);
    load_moment += largest * middle;
}

double Advisor::Line::slope() const {
    const double variance = work_square - work_moment * work_moment / work;
    // Below this there is nothing but rounding.
    if (!(variance > 1e-12 * work_square)) return 0;
    return (load_moment - work_moment * mean()) / variance;
}

void Advisor::step(double largest, double average) {
    if (!(average >= 0 && average <= largest && std::isfinite(largest)))
        throw InputError("expected seconds of a step with 0 <= average <= largest, found " +
                         std::to_string(average) + " and " + std::to_string(largest));
    ++steps_;
    if (average == 0) return;
    work_ += average;
    waste_ += largest - average;
    since_.add(largest, average);
}

void Advisor::balanced(double seconds) {
    if (!(seconds >= 0 && std::isfinite(seconds)))
        throw InputError("expected seconds of a balance that are finite and at least 0, found " +
                         std::to_string(seconds));
    if (since_.work > 0) {
        if (balances_ > 0) {
            earned_ += gap() * since_.work;
            hope_ = (hope_ + since_.mean()) / 2;
        }
        // A line ends too high after a jump: credits are careful.
        before_ = std::min(since_.end(), (since_.mean() + since_.end()) / 2);
    }
    cost_ = balances_ == 0 ? seconds : (cost_ + seconds) / 2;
    spent_ += seconds;
    ++balances_;
    since_ = {};
}

double Advisor::account() const {
    const bool measured = balances_ > 0 && since_.work > 0;
    return earned_ - spent_ + (measured ? gap() * since_.work : 0);
}

Advice Advisor::worth_it() const {
    Advice advice;
    if (balances_ == 0) {
        advice.gain = waste_;
        advice.worth_it = waste_ > 0 && waste_ >= work_ / static_cast<double>(steps_);
        return advice;
    }
    advice.cost = cost_;
    if (since_.work == 0) return advice;
    const double mean = since_.mean();
    const double expected = std::min(mean, (3 * mean + hope_) / 4);
    const double saved = std::max(since_.end(), mean) - expected;  // per second of work
    advice.gain = saved * since_.work;
    const bool harmed = gap() * since_.work < -cost_;
    advice.worth_it = advice.gain > 0 && advice.gain >= cost_ && (account() >= 0 || harmed);
    const double steps = cost_ / (saved * work_ / static_cast<double>(steps_));
    if (saved > 0 && steps < 1e15)
        advice.break_even_step = steps_ + static_cast<std::int64_t>(std::ceil(steps));
    return advice;
}

}  // namespace equipoise::placement
