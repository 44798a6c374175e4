#pragma once
// A model of the physics of columns of air: a column that the sun lights costs five times as much
// as a dark one, and the sun moves on.

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace equipoise::test {

/// Where a column stands, in radians.
struct Site {
    double latitude = 0;
    double longitude = 0;
};

/// A state, or its change, level by level.
using Profile = std::array<double, 16>;

inline constexpr int lit_costs = 5;  ///< times as much as a dark one

/// Whether the sun is above a column's horizon, in northern summer.
inline bool lit(const Site& site, double hour) {
    constexpr double declination = 23.4 * std::numbers::pi / 180;
    const double angle = site.longitude + hour * std::numbers::pi / 12;
    return std::sin(site.latitude) * std::sin(declination) +
               std::cos(site.latitude) * std::cos(declination) * std::cos(angle) >
           0;
}

/// How long a column takes, in units of the work on a dark one.
inline double cost_of(const Site& site, double hour) {
    return lit(site, hour) ? lit_costs : 1;
}

/// The change of a column's state; every bit of it depends on every sweep. `sweeps` on a dark
/// column.
inline Profile heating(const Site& site, const Profile& state, double hour, int sweeps) {
    Profile change = state;
    const double sun = lit(site, hour) ? 1.0 : 0.0;
    const int all = lit(site, hour) ? lit_costs * sweeps : sweeps;
    for (int sweep = 0; sweep < all; ++sweep)
        for (std::size_t level = 0; level < change.size(); ++level)
            change[level] =
                0.9 * change[level] +
                0.1 * std::sin(change[level == 0 ? change.size() - 1 : level - 1] + sun);
    for (double& value : change)
        value *= 0.01;
    return change;
}

/// Ranks own boxes of the globe: where their number is even, a northern and a southern band.
struct Box {
    int band = 0;
    int bands = 1;
    int sector = 0;
    int sectors = 1;

    Box(int rank, int ranks)
        : bands(ranks % 2 == 0 ? 2 : 1), sectors(ranks / (ranks % 2 == 0 ? 2 : 1)) {
        band = rank / sectors;
        sector = rank % sectors;
    }
    /// The rank on the other side of the globe: where this one is lit, that one is dark.
    [[nodiscard]] int opposite() const {
        return (bands - 1 - band) * sectors + (sector + sectors / 2) % sectors;
    }
    /// Columns spread evenly over the box.
    [[nodiscard]] std::vector<Site> sites(std::size_t columns) const {
        constexpr double golden = 0.6180339887498949;
        std::vector<Site> all(columns);
        for (std::size_t i = 0; i < columns; ++i) {
            const double across = (static_cast<double>(i) + 0.5) / static_cast<double>(columns);
            const double along = std::fmod(static_cast<double>(i) * golden, 1.0);
            const double latitude = 1 - (band + across) / bands;  // 0: south pole, 1: north pole
            all[i].latitude = (latitude - 0.5) * std::numbers::pi;
            all[i].longitude = (sector + along) / sectors * 2 * std::numbers::pi;
        }
        return all;
    }
};

}  // namespace equipoise::test
