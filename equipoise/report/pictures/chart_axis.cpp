#include "equipoise/report/pictures/chart_axis.hpp"

#include <algorithm>
#include <cmath>

#include "equipoise/report/pictures/look.hpp"

namespace equipoise::report {

namespace {

constexpr double unit_room = 0.5;  ///< of the part below the unit, in decades

}  // namespace

PlacedAxis::PlacedAxis(const ChartAxis& axis, double least, double most, double begin, double end)
    : scale_(axis.scale),
      unit_(axis.unit),
      least_(scale_ == Scale::logarithmic ? 0 : std::min(0.0, least)),
      most_(scale_ == Scale::logarithmic ? std::max(most, axis.unit)
            : most > least_              ? most
                                         : least_ + axis.unit),
      whole_(axis.whole),
      begin_(begin),
      end_(end) {}

double PlacedAxis::place(double value) const {
    if (scale_ == Scale::linear) return value - least_;
    const double scaled = value / unit_;
    return scaled < 1 ? unit_room * scaled : unit_room + std::log10(scaled);
}

double PlacedAxis::at(double value) const {
    return begin_ + (end_ - begin_) * place(value) / place(most_);
}

std::vector<Tick> PlacedAxis::linear_ticks(double room) const {
    const double count = std::max(1.0, std::floor(std::abs(end_ - begin_) / room));
    const double raw = (most_ - least_) / count;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0})
        if (factor * power >= raw * (1 - 1e-9)) step = factor * power;
    if (whole_) step = std::max(1.0, step);
    std::vector<Tick> ticks;
    const double first = std::ceil(least_ / step - 1e-9);
    for (double k = first; k * step <= most_ * (1 + 1e-9); ++k)
        ticks.push_back({k * step, look::axis_number(k == 0 ? 0 : k * step, most_)});
    return ticks;
}

std::vector<Tick> PlacedAxis::powers(double room) const {
    const int decades = static_cast<int>(std::floor(std::log10(most_ / unit_) + 1e-9));
    const double pixels = std::abs(end_ - begin_) / place(most_);  // of a decade
    const int every = std::max(1, static_cast<int>(std::ceil(room / pixels)));
    std::vector<Tick> ticks{{0, look::axis_number(0)}};
    for (int power = 0; power <= decades; ++power) {
        const double value = unit_ * std::pow(10, power);
        // 1 may stand too close to 0.
        const bool named = power % every == 0 && (power > 0 || unit_room * pixels >= room);
        ticks.push_back({value, named ? look::axis_number(value, most_) : ""});
        for (const double factor : {2.0, 5.0}) {
            if (pixels * std::log10(2.0) < room || factor * value > most_) continue;
            ticks.push_back({factor * value, look::axis_number(factor * value, most_)});
        }
    }
    return ticks;
}

std::vector<Tick> PlacedAxis::ticks(double room) const {
    return scale_ == Scale::linear ? linear_ticks(room) : powers(room);
}

}  // namespace equipoise::report
