#include "equipoise/placement/targets.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/load/targets.hpp"

namespace equipoise::placement {

namespace {

constexpr double exact_speed_max = 0x1.0p53;
constexpr double speed_unit = 0x1.0p-52;

// Floor or ceiling of the mean for the ranks in `members`, the ceilings for the fullest.
std::vector<Tokens> equal_shares(Tokens items, std::span<const Tokens> counts,
                                 std::vector<std::size_t> members) {
    const load::MeanLoad mean = load::mean_load(items, static_cast<NodeId>(members.size()));
    std::vector<Tokens> shares(counts.size(), mean.floor);
    const auto fuller = [&](std::size_t a, std::size_t b) {
        return counts[a] != counts[b] ? counts[a] > counts[b] : a < b;
    };
    std::nth_element(members.begin(), members.begin() + mean.nodes_at_ceiling, members.end(),
                     fuller);
    for (NodeId i = 0; i < mean.nodes_at_ceiling; ++i)
        ++shares[members[i]];
    return shares;
}

std::vector<Tokens> shares_by_speed(Tokens items, std::span<const std::uint64_t> speeds,
                                    std::span<const std::size_t> members) {
    std::vector<std::uint64_t> member_speeds;
    for (const std::size_t rank : members)
        member_speeds.push_back(speeds[rank]);
    const load::Loads member_shares = load::targets_by_speed(items, member_speeds);
    std::vector<Tokens> shares(speeds.size(), 0);
    for (std::size_t i = 0; i < members.size(); ++i)
        shares[members[i]] = member_shares[i];
    return shares;
}

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

std::vector<Tokens> level_targets(const Demand& demand) {
    const std::span<const Tokens> counts = demand.counts;
    EQUIPOISE_ASSERT(!counts.empty());
    const std::vector<std::uint64_t> speeds = whole_speeds(demand.speeds);
    std::vector<std::size_t> members(counts.size());
    std::iota(members.begin(), members.end(), std::size_t{0});
    std::vector<Tokens> targets(counts.size());
    Tokens items = total(counts);
    // Shares only shrink as capped ranks drop out, so a rank that is capped once stays capped.
    while (true) {
        const std::vector<Tokens> shares = speeds.empty() ? equal_shares(items, counts, members)
                                                          : shares_by_speed(items, speeds, members);
        std::vector<std::size_t> uncapped;
        for (const std::size_t rank : members) {
            const bool capped = !demand.pinned.empty() && demand.pinned[rank] > shares[rank];
            targets[rank] = capped ? demand.pinned[rank] : shares[rank];
            if (capped)
                items -= targets[rank];
            else
                uncapped.push_back(rank);
        }
        if (uncapped.size() == members.size()) return targets;
        members = std::move(uncapped);
        EQUIPOISE_ASSERT(!members.empty());
    }
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
