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
    work_square += average * middle * middle;
    load_moment += largest * middle;
    load_square += largest * largest / average;
    ++steps;
}

double Advisor::Line::rise() const {
    const double variance = work_square - work_moment * work_moment / work;
    // A smaller variance is only rounding error.
    if (!(variance > 1e-12 * work_square)) return 0;
    const double slope = (load_moment - work_moment * mean()) / variance;
    if (slope <= 0 || steps < 3) return slope * work / 2;
    const double left = load_square - load * mean() - slope * slope * variance;
    const double error = std::sqrt(std::max(left, 0.0) / (steps - 2) / variance);
    return std::max(slope - error, 0.0) * work / 2;
}

void Advisor::step(std::span<const double> seconds) {
    if (seconds.empty() || (!totals_.empty() && totals_.size() != seconds.size()))
        throw InputError("expected the seconds of the same number of ranks in every step, found " +
                         std::to_string(seconds.size()) + " after " +
                         std::to_string(totals_.size()));
    double sum = 0;
    double largest = 0;
    for (const double each : seconds) {
        if (!(each >= 0 && std::isfinite(each)))
            throw InputError("expected seconds that are finite and at least 0, found " +
                             std::to_string(each));
        sum += each;
        largest = std::max(largest, each);
    }
    totals_.resize(seconds.size());
    double most = 0;
    for (std::size_t rank = 0; rank < seconds.size(); ++rank)
        most = std::max(most, totals_[rank] += seconds[rank]);
    step(largest, std::min(largest, sum / static_cast<double>(seconds.size())), most);
}

void Advisor::step(double largest, double average, double largest_total) {
    if (!(average >= 0 && average <= largest && largest <= largest_total &&
          std::isfinite(largest_total)))
        throw InputError("expected seconds with 0 <= average <= largest <= largest total, found " +
                         std::to_string(average) + ", " + std::to_string(largest) + " and " +
                         std::to_string(largest_total));
    ++steps_;
    if (average == 0) return;
    work_ += average;
    waste_ += largest - average;
    since_.add(largest, average);
    if (since_.work >= work_ / static_cast<double>(steps_))
        after_ = std::min(after_, since_.mean());
    lasting_ = std::max(0.0, largest_total - since_.work);
}

void Advisor::balanced(double seconds) {
    if (!(seconds >= 0 && std::isfinite(seconds)))
        throw InputError("expected seconds of a balance that are finite and at least 0, found " +
                         std::to_string(seconds));
    if (since_.work > 0) {
        const double dropped = gap();
        before_ = since_.mean() + since_.rise();
        if (balances_ > 0) {
            earned_ += dropped * since_.work;
            hope_ = (hope_ + lasting_ / since_.work) / 2;
        }
    }
    cost_ = balances_ == 0 ? seconds : (cost_ + seconds) / 2;
    spent_ += seconds;
    ++balances_;
    since_ = {};
    after_ = std::numeric_limits<double>::infinity();
    lasting_ = 0;
    std::fill(totals_.begin(), totals_.end(), 0);
}

double Advisor::account() const {
    const bool measured = balances_ > 0 && since_.work > 0;
    return earned_ - spent_ + (measured ? gap() * since_.work : 0);
}

double Advisor::harm() const {
    const bool measured = balances_ > 0 && since_.work > 0;
    return measured ? (since_.mean() - before_) * since_.work : 0;
}

Advice Advisor::worth_it() const {
    Advice advice;
    if (balances_ == 0) {
        advice.gain = lasting_;
        advice.worth_it = lasting_ > 0 && lasting_ >= work_ / static_cast<double>(steps_) &&
                          4 * lasting_ >= 3 * waste_;
        return advice;
    }
    advice.cost = cost_;
    if (since_.work == 0) return advice;
    // Lasting waste per second of work.
    const double lasting = lasting_ / since_.work;
    const double growth = std::max(since_.rise(), 0.0);
    const double hoped = std::max(lasting - hope_, 0.0) / 4;
    const double saved = std::min(growth + hoped, lasting);
    advice.gain = saved * since_.work;
    const bool free = account() >= 0 || harm() > cost_;
    advice.worth_it = advice.gain > 0 && advice.gain >= cost_ && free;
    const double steps = cost_ / (saved * work_ / static_cast<double>(steps_));
    if (saved > 0 && steps < 1e15)
        advice.break_even_step = steps_ + static_cast<std::int64_t>(std::ceil(steps));
    return advice;
}

}  // namespace equipoise::placement
