#include "equipoise/placement/few_moves/capacity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::placement {

namespace {

constexpr Units units_max = Units{1} << 61;
constexpr double size_unit = 0x1p40;  // sizes are in units of 2^-40 of a share
constexpr double infinite = std::numeric_limits<double>::infinity();

// The weight plus 10^-12 of it, in units.
Units units_of(double weight) {
    const double most = weight * (1 + 1e-12);
    return most < static_cast<double>(units_max) ? static_cast<Units>(most) : units_max;
}

// The share of a rank of speed 1: the lambda for which the larger of lambda * speed and the pinned
// weight adds up to the weight of all ranks. The ranks with the most pinned weight for their speed
// drop out first. The remaining weight is exact, and sums of speeds are added up rather than
// reduced by subtraction, so that a little weight beside much pinned weight gets its share.
double share_of(std::span<const double> speeds, std::span<const Units> loads,
                std::span<const Units> pinned, std::size_t kinds, std::size_t kind) {
    const auto pinned_of = [&](std::size_t rank) { return pinned[rank * kinds + kind]; };
    Units weight = 0;
    double speed_of_others = 0;
    std::vector<std::size_t> order;
    for (std::size_t rank = 0; rank < speeds.size(); ++rank) {
        weight += loads[rank * kinds + kind];
        if (pinned_of(rank) > 0)
            order.push_back(rank);
        else
            speed_of_others += speeds[rank];
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const double left = static_cast<double>(pinned_of(a)) * speeds[b];
        const double right = static_cast<double>(pinned_of(b)) * speeds[a];
        return left != right ? left > right : a < b;
    });
    std::vector<double> speed_from(order.size() + 1, speed_of_others);  // by place, and the rest
    for (std::size_t place = order.size(); place-- > 0;)
        speed_from[place] = speed_from[place + 1] + speeds[order[place]];
    std::size_t place = 0;
    for (; place < order.size() && speed_from[place + 1] > 0; ++place) {
        const std::size_t rank = order[place];
        if (static_cast<double>(pinned_of(rank)) * speed_from[place] <=
            static_cast<double>(weight) * speeds[rank])
            break;
        weight -= pinned_of(rank);
    }
    return weight > 0 ? static_cast<double>(weight) / speed_from[place] : 0;
}

}  // namespace

UnitScale::UnitScale(double total, int bits) {
    EQUIPOISE_ASSERT(std::isfinite(total));
    if (total <= 0) return;
    int exponent = 0;
    std::frexp(total, &exponent);
    const int power = bits - exponent;
    factor_ = std::ldexp(1.0, std::min(power, 1000));
    second_factor_ = std::ldexp(1.0, power - std::min(power, 1000));
}

Capacity::Capacity(std::size_t levelled, std::span<const double> speeds,
                   std::span<const Units> loads, std::span<const Units> pinned, Rooms rooms)
    : levelled_(levelled),
      kinds_(levelled + rooms.kinds),
      rooms_(std::move(rooms)),
      speeds_(speeds.begin(), speeds.end()),
      pinned_(pinned.begin(), pinned.end()),
      shares_(levelled),
      averages_(levelled),
      sizes_(kinds_) {
    for (const double speed : speeds)
        largest_speed_ = std::max(largest_speed_, speed);
    if (!(largest_speed_ > 0)) throw InputError("expected a speed above 0 for at least one rank");
    // In units of the largest, so that sums stay finite.
    for (double& speed : speeds_)
        speed /= largest_speed_;
    const double speed_sum = std::accumulate(speeds_.begin(), speeds_.end(), 0.0);
    for (std::size_t kind = 0; kind < levelled_; ++kind) {
        shares_[kind] = share_of(speeds_, loads, pinned_, kinds_, kind);
        sizes_[kind] = shares_[kind];
        for (std::size_t rank = 0; rank < ranks(); ++rank)
            averages_[kind] += static_cast<double>(loads[rank * kinds_ + kind]) / speed_sum;
    }
    for (std::size_t kind = levelled_; kind < kinds_; ++kind)
        for (std::size_t rank = 0; rank < ranks(); ++rank)
            sizes_[kind] += static_cast<double>(loads[rank * kinds_ + kind]) / speed_sum;
    for (std::size_t kind = 0; kind < kinds_; ++kind)
        sizes_[kind] = sizes_[kind] > 0 && !is_of_items(kind) ? size_unit / sizes_[kind] : 0;
    if (levelled_ == 1) return;
    double first_level = 0;
    for (std::size_t rank = 0; rank < ranks(); ++rank)
        first_level =
            std::max(first_level, level_of_weights(rank, loads.subspan(rank * kinds_, kinds_)));
    const double first_largest = largest(loads);
    if (!std::isfinite(first_level) || !std::isfinite(first_largest)) return;
    first_level_ = first_level;
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
        for (std::size_t kind = 0; kind < levelled_; ++kind)
            most_.push_back(units_of(first_largest * speeds_[rank] * yardstick(kind)));
    }
}

bool Capacity::has_room(std::size_t rank, std::span<const Units> load) const {
    for (std::size_t kind = 0; kind < rooms_.kinds; ++kind)
        if (load[levelled_ + kind] > rooms_.most[rank * rooms_.kinds + kind]) return false;
    return true;
}

bool Capacity::has_room(std::span<const Units> loads) const {
    for (std::size_t rank = 0; rank < ranks(); ++rank)
        if (!has_room(rank, loads.subspan(rank * kinds_, kinds_))) return false;
    return true;
}

Units Capacity::cap(std::size_t rank, std::size_t kind, double level) const {
    if (kind >= levelled_) return rooms_.most[rank * rooms_.kinds + kind - levelled_];
    const Units cap = std::max(units_of(level * shares_[kind] * speeds_[rank]), pinned(rank, kind));
    if (most_.empty()) return cap;
    const Units most = most_[rank * levelled_ + kind];
    if (level <= first_level_) return std::min(cap, most);
    return std::min(cap, units_of(level / first_level_ * static_cast<double>(most)));
}

double Capacity::level_of_weights(std::size_t rank, std::span<const Units> load) const {
    double level = 0;
    for (std::size_t kind = 0; kind < levelled_; ++kind) {
        if (load[kind] <= pinned(rank, kind)) continue;
        const double share = shares_[kind] * speeds_[rank];
        level = share > 0 ? std::max(level, static_cast<double>(load[kind]) / share) : infinite;
        if (most_.empty()) continue;
        const Units most = most_[rank * levelled_ + kind];
        if (load[kind] > most)
            level = std::max(
                level, first_level_ * static_cast<double>(load[kind]) / static_cast<double>(most));
    }
    return level;
}

double Capacity::level(std::size_t rank, std::span<const Units> load) const {
    return has_room(rank, load) ? level_of_weights(rank, load) : infinite;
}

double Capacity::level(std::span<const Units> loads) const {
    double all = 0;
    for (std::size_t rank = 0; rank < ranks(); ++rank)
        all = std::max(all, level(rank, loads.subspan(rank * kinds_, kinds_)));
    return all;
}

Units Capacity::size(std::span<const Units> weight) const {
    const Units more = limited() && !rooms_.for_bundles ? 1 : 0;
    if (has_one_size()) return weight[0] + more;
    double most = 0;
    for (std::size_t kind = 0; kind < kinds_; ++kind)
        most = std::max(most, static_cast<double>(weight[kind]) * sizes_[kind]);
    return static_cast<Units>(std::min(std::ceil(most), 0x1p60)) + more;
}

// Sizes of single items are 1 or more where room is limited: a rank without room for one more has
// room 0.
Units Capacity::room(std::span<const Units> load, std::span<const Units> caps) const {
    Units room = 0;
    if (has_one_size()) {
        room = caps[0] - load[0];
    } else {
        double least = 0x1p60;
        for (std::size_t kind = 0; kind < kinds_; ++kind) {
            const auto left = static_cast<double>(caps[kind] - load[kind]);
            if (sizes_[kind] > 0) least = std::min(least, std::floor(left * sizes_[kind]));
        }
        room = static_cast<Units>(std::max(least, -0x1p60));
    }
    if (!limited() || rooms_.for_bundles) return room;
    const Units items = caps[levelled_] - load[levelled_];
    if (items < 1) return std::min(room, items);
    return room < 0 ? room : room + 1;
}

double Capacity::largest(std::span<const Units> loads) const {
    double most = 0;
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
        for (std::size_t kind = 0; kind < levelled_; ++kind) {
            const auto load = static_cast<double>(loads[rank * kinds_ + kind]);
            if (load <= 0) continue;
            most = speeds_[rank] > 0 ? std::max(most, load / speeds_[rank] / yardstick(kind))
                                     : infinite;
        }
    }
    return most;
}

}  // namespace equipoise::placement
