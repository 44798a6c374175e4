#include "equipoise/placement/hierarchical.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/load/targets.hpp"
#include "equipoise/placement/matching.hpp"
#include "equipoise/placement/targets.hpp"

namespace equipoise::placement {

namespace {

using Members = std::vector<std::size_t>;

// The members of each group, in the order of the groups' numbers.
std::vector<Members> grouped(std::span<const std::size_t> members, std::span<const int> name) {
    std::map<int, Members> groups;
    for (const std::size_t rank : members)
        groups[name[rank]].push_back(rank);
    std::vector<Members> found;
    found.reserve(groups.size());
    for (auto& [group, ranks] : groups)
        found.push_back(std::move(ranks));
    return found;
}

// How many of `odd` further items each group gets, at most one for each member; groups in which
// that saves a move come first.
std::vector<Tokens> deal_odd(Tokens odd, std::span<const Members> groups,
                             std::span<const Tokens> counts, Tokens floor) {
    std::vector<Tokens> dealt(groups.size(), 0);
    std::vector<Tokens> saving(groups.size(), 0);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const auto size = static_cast<Tokens>(groups[g].size());
        Tokens held = 0;
        for (const std::size_t rank : groups[g])
            held += counts[rank];
        saving[g] = std::clamp(held - size * floor, Tokens{0}, size);
    }
    for (const bool only_saving : {true, false}) {
        for (std::size_t g = 0; g < groups.size(); ++g) {
            const Tokens room =
                (only_saving ? saving[g] : static_cast<Tokens>(groups[g].size())) - dealt[g];
            const Tokens more = std::min(odd, room);
            dealt[g] += more;
            odd -= more;
        }
    }
    EQUIPOISE_ASSERT(odd == 0);
    return dealt;
}

// Deals `odd` further items among members by `levels` of groups, then by single ranks.
void deal_levels(Tokens odd, std::span<const std::size_t> members,
                 std::span<const std::span<const int>> levels, std::span<const Tokens> counts,
                 Tokens floor, std::span<Tokens> targets) {
    std::vector<Members> groups;
    if (levels.empty()) {
        for (const std::size_t rank : members)
            groups.push_back({rank});
    } else {
        groups = grouped(members, levels.front());
    }
    const std::vector<Tokens> dealt = deal_odd(odd, groups, counts, floor);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (levels.empty())
            targets[groups[g].front()] = floor + dealt[g];
        else
            deal_levels(dealt[g], groups[g], levels.subspan(1), counts, floor, targets);
    }
}

}  // namespace

std::vector<Tokens> hierarchical_targets(std::span<const Tokens> counts, const Places& places) {
    const load::MeanLoad mean = load::mean_load(total(counts), static_cast<NodeId>(counts.size()));
    std::vector<Tokens> targets(counts.size());
    const std::array<std::span<const int>, 2> levels = {places.machine, places.socket};
    deal_levels(Tokens{mean.nodes_at_ceiling}, all_ranks(counts.size()), levels, counts, mean.floor,
                targets);
    return targets;
}

std::vector<Transfer> match_hierarchically(std::span<const Tokens> counts,
                                           std::span<const Tokens> targets, const Places& places) {
    std::vector<Tokens> left = above_targets(counts, targets);
    std::vector<Transfer> transfers;
    const std::vector<std::size_t> everyone = all_ranks(counts.size());
    for (const Members& machine : grouped(everyone, places.machine)) {
        for (const Members& socket : grouped(machine, places.socket))
            match_among(left, socket, transfers);
        match_among(left, machine, transfers);
    }
    match_among(left, everyone, transfers);
    std::sort(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
        return a.from != b.from ? a.from < b.from : a.to < b.to;
    });
    return transfers;
}

Tokens surplus_of_groups(std::span<const Tokens> counts, std::span<const Tokens> targets,
                         std::span<const int> group) {
    Tokens sum = 0;
    for (const Members& members : grouped(all_ranks(counts.size()), group)) {
        Tokens above = 0;
        for (const std::size_t rank : members)
            above += counts[rank] - targets[rank];
        sum += std::max(Tokens{0}, above);
    }
    return sum;
}

}  // namespace equipoise::placement
