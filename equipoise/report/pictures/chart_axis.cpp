#include "equipoise/report/pictures/chart_axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "equipoise/report/pictures/look.hpp"

namespace equipoise::report {

namespace {

constexpr double zero_room = 1.6;       ///< of the piece below the unit, in heights of text
constexpr double zero_names = 0.6;      ///< how much closer the names at its ends may stand
constexpr double zero_room_most = 0.1;  ///< of the axis
constexpr double minor_room = 40;       ///< of a decade that has short marks, in pixels
constexpr double tiny = 1e-9;
constexpr double largest = std::numeric_limits<double>::max();

/// The largest of 1, 2 and 5 times a power of ten that is at most this.
double rounded_down(double value) {
    const double power = power_of_ten(value);
    for (const double factor : {5.0, 2.0})
        if (power <= value / factor * (1 + tiny)) return factor * power;
    return power;
}

/// From a positive number to another.
double decades(double from, double to) {
    const double ratio = to / from;
    return std::isfinite(ratio) ? std::log10(ratio) : std::log10(to) - std::log10(from);
}

double linear_step(double length, double count, bool whole) {
    const double raw = length / std::max(1.0, count);
    const double power = std::pow(10, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0})
        if (factor * power >= raw * (1 - tiny)) step = factor * power;
    return whole ? std::max(1.0, step) : step;
}

}  // namespace

double power_of_ten(double value) {
    return std::pow(10, std::floor(std::log10(value) + tiny));
}

PlacedAxis::PlacedAxis(const ChartAxis& axis, double least, double most, double begin, double end,
                       double text_size)
    : scale_(axis.categories.empty() ? axis.scale : Scale::linear),
      least_(least),
      most_(most),
      whole_(axis.whole),
      begin_(begin),
      end_(end),
      categories_(axis.categories) {
    if (!categories_.empty()) {
        least_ = -0.5;
        most_ = static_cast<double>(categories_.size()) - 0.5;
        return;
    }
    if (scale_ == Scale::linear) {
        least_ = std::min(0.0, least);
        if (!axis.from_zero && least > 0 && 2 * (most - least) < most &&
            most - least > tiny * most) {
            const double step = linear_step(most - least, 5, whole_);
            least_ = step * std::floor(least / step + tiny);
        }
        const double unit = std::max(axis.unit, least_unit);
        if (most_ - least_ < std::max(least_unit, tiny * std::abs(least_)))
            most_ = least_ < 0 ? 0 : least_ + unit;
        if (most_ - least_ < least_unit) most_ = least_ + unit;
        return;
    }
    const double unit = std::max(axis.unit, least_unit);
    const bool zero = least < unit;
    least_ = zero ? unit : rounded_down(least);
    most_ = std::max(most, least_);
    if (!zero && most_ <= least_ * (1 + tiny)) {
        least_ = rounded_down(0.9 * least_);
        most_ = std::max(most_, rounded_down(std::min(5 * least_, largest)));
    }
    if (!zero) return;
    zero_room_ = most_ <= least_
                     ? 1
                     : std::min(zero_room_most, zero_room * text_size / std::abs(end_ - begin_));
}

double PlacedAxis::place(double value) const {
    if (scale_ == Scale::linear) return (value - least_) / (most_ - least_);
    if (value <= least_) return zero_room_ * std::max(0.0, value / least_);
    return zero_room_ + (1 - zero_room_) * decades(least_, value) / decades(least_, most_);
}

double PlacedAxis::at(double value) const {
    return begin_ + (end_ - begin_) * std::max(0.0, place(value));
}

bool PlacedAxis::has_zero() const {
    return scale_ == Scale::linear ? least_ <= 0 && categories_.empty() : zero_room_ > 0;
}

std::vector<Tick> PlacedAxis::linear_ticks(double room) const {
    const double pixels = std::abs(at(most_) - at(least_));
    const double step = linear_step(most_ - least_, std::floor(pixels / room), whole_);
    std::vector<Tick> ticks;
    const double first = std::ceil(least_ / step - tiny);
    const double end = std::min(largest, most_ + tiny * std::abs(most_));
    for (double k = first; k * step <= end && k + 1 > k; ++k)
        ticks.push_back({k * step, look::axis_number(k == 0 ? 0 : k * step, most_)});
    return ticks;
}

/// These factors of each power of ten on the axis, or of each `every`-th, without 0.
std::vector<double> PlacedAxis::factors_of_powers(const std::vector<double>& factors,
                                                  int every) const {
    std::vector<double> values;
    const int first = static_cast<int>(std::floor(std::log10(least_) + tiny));
    const int last = static_cast<int>(std::floor(std::log10(most_) + tiny));
    for (int power = first; power <= last; ++power) {
        if (power % every != 0) continue;
        for (const double factor : factors) {
            const double value = factor * std::pow(10, power);
            if (value >= least_ * (1 - tiny) && value * (1 - tiny) <= most_)
                values.push_back(value);
        }
    }
    return values;
}

bool PlacedAxis::names_fit(const std::vector<double>& values, const NameRoom& extent) const {
    const auto room = [&](double value) { return extent(look::axis_number(value, most_)) / 2; };
    for (std::size_t k = 1; k < values.size(); ++k) {
        const double close = k == 1 && values[0] == 0 && values[1] == least_ ? zero_names : 1;
        if (std::abs(at(values[k]) - at(values[k - 1])) <
            close * (room(values[k - 1]) + room(values[k])))
            return false;
    }
    return true;
}

/// From the most to the fewest, until they have room. Where a piece is linear, the name of 0 stays
/// rather than that of the unit.
std::vector<double> PlacedAxis::named_powers(const NameRoom& extent) const {
    std::vector<std::vector<double>> choices = {factors_of_powers({1, 2, 5}, 1)};
    if (choices[0].size() < 3)
        choices.insert(choices.begin(), factors_of_powers({1, 2, 3, 4, 5, 6, 7, 8, 9}, 1));
    for (int every = 1; every < 40; ++every)
        choices.push_back(factors_of_powers({1}, every));
    std::vector<double> named;
    for (std::vector<double> values : choices) {
        if (zero_room_ > 0) values.insert(values.begin(), 0);
        if (!names_fit(values, extent) && zero_room_ > 0 && values.size() > 1)
            values.erase(values.begin() + 1);
        if (!names_fit(values, extent)) continue;
        named = values;
        break;
    }
    if (named.size() >= 2) return named;
    // Hardly more than a power of ten: whatever else has room.
    std::vector<double> others = factors_of_powers({5, 2}, 1);
    for (const Tick& tick : linear_ticks(extent(look::axis_number(most_, most_))))
        if (tick.value >= least_) others.push_back(tick.value);
    for (const double other : others) {
        std::vector<double> more = named;
        more.insert(std::upper_bound(more.begin(), more.end(), other), other);
        if (names_fit(more, extent)) named = more;
    }
    return named;
}

std::vector<Tick> PlacedAxis::powers(const NameRoom& extent) const {
    const std::vector<double> named = named_powers(extent);
    std::vector<Tick> ticks;
    for (const double value : named)
        ticks.push_back({value, look::axis_number(value, most_)});
    const auto add = [&](double value, bool minor) {
        const bool there = std::any_of(ticks.begin(), ticks.end(), [&](const Tick& tick) {
            return std::abs(tick.value - value) <= tiny * value;
        });
        if (!there) ticks.push_back({value, "", minor});
    };
    for (const double value : factors_of_powers({1}, 1))
        add(value, false);
    const double decade = std::abs(at(10 * least_) - at(least_));
    if (decade >= minor_room || most_ < 10 * least_)
        for (const double value : factors_of_powers({2, 3, 4, 5, 6, 7, 8, 9}, 1))
            add(value, true);
    std::sort(ticks.begin(), ticks.end(),
              [](const Tick& a, const Tick& b) { return a.value < b.value; });
    return ticks;
}

std::vector<Tick> PlacedAxis::ticks(const NameRoom& extent) const {
    if (!categories_.empty()) {
        std::vector<Tick> ticks;
        for (std::size_t k = 0; k < categories_.size(); ++k)
            ticks.push_back({static_cast<double>(k), categories_[k]});
        return ticks;
    }
    if (scale_ == Scale::logarithmic) return powers(extent);
    double room = std::max(1.0, extent(look::axis_number(most_, most_)));
    for (const Tick& tick : linear_ticks(room))
        room = std::max(room, extent(tick.name));
    return linear_ticks(room);
}

std::vector<Tick> PlacedAxis::ticks(double room) const {
    return ticks([room](std::string_view) { return room; });
}

}  // namespace equipoise::report
