#pragma once
// Where values lie on the axis of a chart, and which values have ticks.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/report/pictures/chart.hpp"

namespace equipoise::report {

/// Shorter lengths and units are too small to draw; less than this is 0 on a logarithmic axis.
constexpr double least_unit = 1e-300;

/// The power of ten at or below a positive value, or a billionth of a decade above it at most.
[[nodiscard]] double power_of_ten(double value);

struct Tick {
    double value = 0;
    std::string name;    ///< empty: a line of the grid alone
    bool minor = false;  ///< a short mark, without a line of the grid
};

/// How much room a name needs along an axis.
using NameRoom = std::function<double(std::string_view)>;

/// An axis from `least` to `most`, drawn from the pixel `begin` to `end`.
class PlacedAxis {
  public:
    PlacedAxis(const ChartAxis& axis, double least, double most, double begin, double end,
               double text_size = look::text_size);

    /// The pixel of a value; of one below the axis, `begin`.
    [[nodiscard]] double at(double value) const;
    [[nodiscard]] double most() const { return most_; }
    /// Whether it begins at 0 (or below).
    [[nodiscard]] bool has_zero() const;
    /// Ticks whose names do not meet. Logarithmic axes have one at each power of ten, whether or
    /// not its name has room.
    [[nodiscard]] std::vector<Tick> ticks(const NameRoom& extent) const;
    /// The same if every name needs `room` pixels.
    [[nodiscard]] std::vector<Tick> ticks(double room) const;

  private:
    [[nodiscard]] double place(double value) const;
    [[nodiscard]] std::vector<Tick> linear_ticks(double room) const;
    [[nodiscard]] std::vector<Tick> powers(const NameRoom& extent) const;
    [[nodiscard]] std::vector<double> named_powers(const NameRoom& extent) const;
    [[nodiscard]] bool names_fit(const std::vector<double>& values, const NameRoom& extent) const;
    [[nodiscard]] std::vector<double> factors_of_powers(const std::vector<double>& factors,
                                                        int every) const;

    Scale scale_;
    double least_;
    double most_;
    bool whole_;
    double begin_;
    double end_;
    double zero_room_ = 0;  ///< part of the axis that is linear, below `least_`
    std::vector<std::string> categories_;
};

}  // namespace equipoise::report
