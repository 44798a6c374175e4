#include "equipoise/placement/targets.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/joint_error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/load/targets.hpp"

namespace equipoise::placement {

namespace {

constexpr double exact_speed_max = 0x1.0p53;
constexpr double speed_unit = 0x1.0p-52;

// Problem: how many items per unit of speed, x, are level: rank r gets x s_r items, but at least
//   those that are pinned and at most those for which it has room.
// Method: the sum of that over all ranks rises with x, in a line that bends where a rank comes to
//   one of its limits. Between two bends it is known which ranks are at a limit.
class Level {
  public:
    Level(const Demand& demand, std::span<const std::uint64_t> speeds, Tokens items)
        : demand_(demand), speeds_(speeds) {
        expect_room(items);
        for (std::size_t rank = 0; rank < speeds.size(); ++rank) {
            if (speeds[rank] == 0) continue;
            if (pinned(rank) > 0) bends_.push_back({pinned(rank), speeds[rank]});
            if (most(rank) < tokens_max) bends_.push_back({most(rank), speeds[rank]});
        }
        std::sort(bends_.begin(), bends_.end(), before);
        passed_ = static_cast<std::size_t>(
            std::partition_point(bends_.begin(), bends_.end(),
                                 [&](const Bend& bend) { return sum_is_at_most(items, bend); }) -
            bends_.begin());
    }

    // What a rank gets if it is at a limit.
    [[nodiscard]] std::optional<Tokens> fixed(std::size_t rank) const {
        const std::uint64_t speed = speeds_[rank];
        if (speed == 0) return pinned(rank);
        if (passed_ < bends_.size() && !before({pinned(rank), speed}, bends_[passed_]))
            return pinned(rank);
        if (passed_ > 0 && !before(bends_[passed_ - 1], {most(rank), speed})) return most(rank);
        return std::nullopt;
    }

  private:
    // Where a rank of this speed gets these items.
    struct Bend {
        Tokens items = 0;
        std::uint64_t speed = 1;
    };
    static bool before(const Bend& a, const Bend& b) {
        return static_cast<UInt128>(a.items) * b.speed < static_cast<UInt128>(b.items) * a.speed;
    }

    [[nodiscard]] Tokens pinned(std::size_t rank) const {
        return demand_.pinned.empty() ? 0 : demand_.pinned[rank];
    }
    [[nodiscard]] Tokens most(std::size_t rank) const {
        return demand_.most.empty() ? tokens_max : demand_.most[rank];
    }

    void expect_room(Tokens items) const {
        UInt128 room = 0;
        for (std::size_t rank = 0; rank < speeds_.size(); ++rank)
            room += static_cast<UInt128>(speeds_[rank] == 0 ? pinned(rank) : most(rank));
        placement::expect_room(items,
                               static_cast<Tokens>(std::min(room, static_cast<UInt128>(items))));
    }

    [[nodiscard]] bool sum_is_at_most(Tokens items, const Bend& bend) const {
        UInt128 speed = 0;  // of ranks between their limits
        for (std::size_t rank = 0; rank < speeds_.size(); ++rank) {
            const std::uint64_t own = speeds_[rank];
            if (own == 0 || !before({pinned(rank), own}, bend))
                items -= pinned(rank);
            else if (!before(bend, {most(rank), own}))
                items -= most(rank);
            else
                speed += own;
            if (items < 0) return false;
        }
        return static_cast<UInt128>(bend.items) * speed <= static_cast<UInt128>(items) * bend.speed;
    }

    const Demand& demand_;
    std::span<const std::uint64_t> speeds_;
    std::vector<Bend> bends_;
    std::size_t passed_ = 0;  // bends at or below the level
};

}  // namespace

void expect_room(Tokens items, Tokens room) {
    if (room >= items) return;
    throw JointError("expected room for " + counted(items, "item") +
                     " on ranks with a speed above 0, found room for " + grouped(room) + ": " +
                     grouped(items - room) + " too few");
}

Tokens total(std::span<const Tokens> counts) {
    return load::total(counts);
}

std::vector<std::uint64_t> whole_speeds(std::span<const double> speeds) {
    const auto exact = [](double speed) {
        return speed < exact_speed_max && speed == std::floor(speed);
    };
    const bool all_exact = std::all_of(speeds.begin(), speeds.end(), exact);
    const double largest = speeds.empty() ? 0 : *std::max_element(speeds.begin(), speeds.end());
    std::vector<std::uint64_t> whole;
    for (const double speed : speeds)
        whole.push_back(static_cast<std::uint64_t>(
            all_exact ? speed : std::nearbyint(speed / largest / speed_unit)));
    return whole;
}

LevelShares level_shares(const Demand& demand) {
    const std::size_t ranks = demand.counts.size();
    EQUIPOISE_ASSERT(ranks > 0);
    std::vector<std::uint64_t> speeds = whole_speeds(demand.speeds);
    if (speeds.empty()) speeds.assign(ranks, 1);
    if (std::all_of(speeds.begin(), speeds.end(), [](std::uint64_t speed) { return speed == 0; }))
        throw InputError("expected a speed above 0 for at least one rank");
    LevelShares shares;
    shares.least.resize(ranks);
    Tokens items = total(demand.counts);
    const Level level(demand, speeds, items);
    std::vector<std::size_t> members;
    std::vector<std::uint64_t> member_speeds;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        if (const std::optional<Tokens> fixed = level.fixed(rank)) {
            shares.least[rank] = *fixed;
            items -= *fixed;
        } else {
            members.push_back(rank);
            member_speeds.push_back(speeds[rank]);
        }
    }
    if (members.empty()) return shares;
    const load::Shares found = load::shares_by_speed(items, member_speeds);
    for (std::size_t i = 0; i < members.size(); ++i)
        shares.least[members[i]] = found.least[i];
    for (const NodeId tied : found.tied)
        shares.open.push_back(members[tied]);
    shares.odd = found.odd;
    return shares;
}

std::vector<Tokens> lowest_targets(const Demand& demand) {
    LevelShares shares = level_shares(demand);
    for (std::size_t i = 0; i < static_cast<std::size_t>(shares.odd); ++i)
        ++shares.least[shares.open[i]];
    return std::move(shares.least);
}

std::vector<Tokens> level_targets(const Demand& demand) {
    LevelShares shares = level_shares(demand);
    // With speeds, a rank that holds more than another may have less than its share.
    const auto saves = [&](std::size_t rank) { return demand.counts[rank] > shares.least[rank]; };
    const auto first = [&](std::size_t a, std::size_t b) {
        if (saves(a) != saves(b)) return saves(a);
        return demand.counts[a] != demand.counts[b] ? demand.counts[a] > demand.counts[b] : a < b;
    };
    const auto end = shares.open.begin() + static_cast<std::ptrdiff_t>(shares.odd);
    std::nth_element(shares.open.begin(), end, shares.open.end(), first);
    for (auto rank = shares.open.begin(); rank != end; ++rank)
        ++shares.least[*rank];
    return std::move(shares.least);
}

Tokens surplus(std::span<const Tokens> counts, std::span<const Tokens> targets) {
    Tokens sum = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank)
        sum += std::max(Tokens{0}, counts[rank] - targets[rank]);
    return sum;
}

std::vector<double> weight_targets(std::span<const double> weights, std::span<const double> pinned,
                                   std::span<const double> speeds) {
    const auto speed = [&](std::size_t rank) { return speeds.empty() ? 1.0 : speeds[rank]; };
    double weight = 0;
    double speed_sum = 0;
    for (std::size_t rank = 0; rank < weights.size(); ++rank) {
        weight += weights[rank];
        speed_sum += speed(rank);
    }
    if (!(speed_sum > 0)) throw InputError("expected a speed above 0 for at least one rank");

    std::vector<double> targets(weights.size());
    std::vector<bool> capped(weights.size(), false);
    for (bool changed = true; changed;) {
        changed = false;
        double capped_weight = 0;
        double capped_speed = 0;
        for (std::size_t rank = 0; rank < weights.size(); ++rank) {
            if (capped[rank]) continue;
            targets[rank] = speed_sum > 0 ? weight * speed(rank) / speed_sum : 0;
            if (pinned[rank] <= targets[rank]) continue;
            capped[rank] = true;
            targets[rank] = pinned[rank];
            capped_weight += pinned[rank];
            capped_speed += speed(rank);
            changed = true;
        }
        weight = std::max(0.0, weight - capped_weight);
        speed_sum -= capped_speed;
    }
    return targets;
}

}  // namespace equipoise::placement
