#pragma once
// Where values lie on the axis of a chart, and which values have ticks.

#include <string>
#include <vector>

#include "equipoise/report/pictures/chart.hpp"

namespace equipoise::report {

struct Tick {
    double value = 0;
    std::string name;  ///< empty: a line of the grid alone
};

/// An axis from `least` to `most`, drawn from the pixel `begin` to `end`.
class PlacedAxis {
  public:
    PlacedAxis(const ChartAxis& axis, double least, double most, double begin, double end);

    [[nodiscard]] double at(double value) const;
    [[nodiscard]] double most() const { return most_; }
    /// Ticks whose names have `room` pixels each along the axis.
    [[nodiscard]] std::vector<Tick> ticks(double room) const;

  private:
    [[nodiscard]] double place(double value) const;
    [[nodiscard]] std::vector<Tick> linear_ticks(double room) const;
    [[nodiscard]] std::vector<Tick> powers(double room) const;

    Scale scale_;
    double unit_;
    double least_;
    double most_;
    bool whole_;
    double begin_;
    double end_;
};

}  // namespace equipoise::report
