#include "equipoise/placement/targets.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/load/targets.hpp"

namespace equipoise::placement {

namespace {

constexpr double exact_speed_max = 0x1.0p53;
constexpr double speed_unit = 0x1.0p-52;

}  // namespace

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
    Tokens items = total(demand.counts);
    UInt128 speed = std::accumulate(speeds.begin(), speeds.end(), UInt128{0});
    if (speed == 0) throw InputError("expected a speed above 0 for at least one rank");
    LevelShares shares;
    shares.least.resize(ranks);
    std::vector<std::size_t> members(ranks);
    std::iota(members.begin(), members.end(), std::size_t{0});
    // Shares only shrink as capped ranks drop out, so a rank that is capped once stays capped.
    for (bool changed = !demand.pinned.empty(); changed;) {
        const Tokens all = items;
        const UInt128 fast = speed;
        const auto capped = [&](std::size_t rank) {
            const UInt128 share = static_cast<UInt128>(all) * speeds[rank] / fast;
            if (static_cast<UInt128>(demand.pinned[rank]) <= share) return false;
            shares.least[rank] = demand.pinned[rank];
            items -= demand.pinned[rank];
            speed -= speeds[rank];
            return true;
        };
        changed = std::erase_if(members, capped) > 0;
    }
    std::vector<std::uint64_t> member_speeds;
    member_speeds.reserve(members.size());
    for (const std::size_t rank : members)
        member_speeds.push_back(speeds[rank]);
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
