#pragma once
// Weights as whole numbers, and how much weight each rank may hold.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace equipoise::placement {

/// A non-negative real number as a whole multiple of a power of two: sums are exact, whatever their
/// order.
using Units = std::int64_t;

/// All weights of a kind together are less than 2^weight_bits units.
inline constexpr int weight_bits = 60;

/// The size of a unit.
class UnitScale {
  public:
    UnitScale() = default;
    /// For numbers that add up to `total`, a finite number, which become less than 2^bits units.
    /// Numbers that are multiples of 2^-bits of the next power of two above `total` stay exact, all
    /// others are rounded to the nearest.
    UnitScale(double total, int bits);

    [[nodiscard]] Units units(double number) const {
        // NOLINTNEXTLINE(bugprone-incorrect-roundings): it is not negative, and this is a hot loop
        return static_cast<Units>(number * factor_ * second_factor_ + 0.5);
    }
    [[nodiscard]] double real(double units) const { return units / second_factor_ / factor_; }

  private:
    double factor_ = 1;
    double second_factor_ = 1;  // of totals so small that the whole factor is no double
};

/// What ranks may hold of what takes room: their number of items and, where that is limited too,
/// bytes.
struct Rooms {
    std::size_t kinds = 0;    ///< 0: any number of items, 1: limited items, 2: items and bytes
    std::vector<Units> most;  ///< rank by rank, kind by kind; no less than what is pinned
    /// Whether items of a pool stand for several, so that room for one more is not enough.
    bool for_bundles = false;
};

/// What ranks may hold at a level, for weights of one or several kinds.
///
/// The share of rank r in kind k is lambda_k s_r, with lambda_k such that the larger of this and
/// the pinned weight, added over all ranks, is the total of the kind. At level x, rank r may hold
/// max(x lambda_k s_r, pinned weight); no placement has a level below 1.
///
/// With several kinds, pinned weight makes the shares of kinds different parts of their averages,
/// so that a lower level could come with a larger load, measured in averages. A load that exceeds
/// the largest load at the start therefore counts as a level above the one at the start, in the
/// same proportion: no placement of at most the initial level has a larger largest load than the
/// start.
///
/// Where room is limited, loads have further kinds behind those of weights, which are not levelled:
/// items, then bytes. A rank that holds more of these than it has room for has an infinite level.
class Capacity {
  public:
    /// For `levelled` kinds of weights. `loads` at the start and `pinned`: rank by rank, kind by
    /// kind, those of rooms too. Throws InputError if no speed is above 0.
    Capacity(std::size_t levelled, std::span<const double> speeds, std::span<const Units> loads,
             std::span<const Units> pinned, Rooms rooms = {});

    [[nodiscard]] std::size_t ranks() const { return speeds_.size(); }
    [[nodiscard]] std::size_t kinds() const { return kinds_; }
    /// The first kinds are weights, the others take room.
    [[nodiscard]] std::size_t levelled() const { return levelled_; }
    [[nodiscard]] bool limited() const { return rooms_.kinds > 0; }
    /// Whether one weight decides whether an item fits where there is room for one more.
    [[nodiscard]] bool has_one_size() const {
        return kinds_ == 1 || (kinds_ == 2 && levelled_ == 1 && !rooms_.for_bundles);
    }
    /// Whether no rank holds more than it has room for.
    [[nodiscard]] bool has_room(std::span<const Units> loads) const;
    /// The share of the fastest rank.
    [[nodiscard]] double share(std::size_t kind) const { return shares_[kind]; }
    /// In units of the largest speed.
    [[nodiscard]] double speed(std::size_t rank) const { return speeds_[rank]; }
    [[nodiscard]] double largest_speed() const { return largest_speed_; }
    [[nodiscard]] Units pinned(std::size_t rank, std::size_t kind) const {
        return pinned_[rank * kinds_ + kind];
    }

    /// What a rank may hold at a level, plus 10^-12 of it.
    [[nodiscard]] Units cap(std::size_t rank, std::size_t kind, double level) const;
    /// The level at which a rank may hold its load; infinite if there is no room for it.
    [[nodiscard]] double level(std::size_t rank, std::span<const Units> load) const;
    /// The level of all ranks.
    [[nodiscard]] double level(std::span<const Units> loads) const;

    /// One number for an item of several weights (and bytes, if limited): its largest weight,
    /// measured in shares. With one kind, its weight. Where room is limited, 1 more.
    [[nodiscard]] Units size(std::span<const Units> weight) const;
    /// An item of at most this size fits beside a load under the caps of the rank: with one kind
    /// (limited items aside), if and only if. Negative if the load is above the caps.
    [[nodiscard]] Units room(std::span<const Units> load, std::span<const Units> caps) const;

    /// The largest load per speed, of pinned weight too: with one kind in units, with several in
    /// averages of all loads per speed.
    [[nodiscard]] double largest(std::span<const Units> loads) const;
    /// The unit in which `largest` measures a kind.
    [[nodiscard]] double yardstick(std::size_t kind) const {
        return levelled_ == 1 || averages_[kind] <= 0 ? 1 : averages_[kind];
    }

  private:
    [[nodiscard]] bool has_room(std::size_t rank, std::span<const Units> load) const;
    [[nodiscard]] double level_of_weights(std::size_t rank, std::span<const Units> load) const;
    [[nodiscard]] bool is_of_items(std::size_t kind) const {
        return limited() && kind == levelled_ && !rooms_.for_bundles;
    }

    std::size_t levelled_;
    std::size_t kinds_;
    Rooms rooms_;
    std::vector<double> speeds_;
    std::vector<Units> pinned_;
    std::vector<double> shares_;
    std::vector<double> averages_;
    std::vector<double> sizes_;  // of a unit, by kind; 0: it does not count
    double largest_speed_ = 0;
    double first_level_ = 0;
    std::vector<Units> most_;  // with several kinds: loads that lift no largest load
};

/// Whether a level is at most another one, up to rounding.
[[nodiscard]] inline bool within(double level, double bound) {
    return level <= bound * (1 + 1e-11);
}

}  // namespace equipoise::placement
