#include "equipoise/balancer/planning/matching.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <numeric>

#include "equipoise/balancer/planning/targets.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/load/targets.hpp"

namespace equipoise::balancer {

namespace {

// Matches surpluses and deficits among `members`, as far as possible; updates `left` (held minus
// target, by rank).
void match_members(std::span<Tokens> left, std::span<const std::size_t> members,
                   std::vector<Transfer>& transfers) {
    std::size_t giver = 0;
    std::size_t taker = 0;
    while (true) {
        while (giver < members.size() && left[members[giver]] <= 0)
            ++giver;
        while (taker < members.size() && left[members[taker]] >= 0)
            ++taker;
        if (giver == members.size() || taker == members.size()) return;
        Tokens& surplus = left[members[giver]];
        Tokens& deficit = left[members[taker]];
        const Tokens items = std::min(surplus, -deficit);
        transfers.push_back(
            {static_cast<int>(members[giver]), static_cast<int>(members[taker]), items});
        surplus -= items;
        deficit += items;
    }
}

std::vector<Tokens> differences(std::span<const Tokens> counts, std::span<const Tokens> targets) {
    std::vector<Tokens> left(counts.size());
    for (std::size_t rank = 0; rank < counts.size(); ++rank)
        left[rank] = counts[rank] - targets[rank];
    return left;
}

void sort_by_ranks(std::vector<Transfer>& transfers) {
    std::sort(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
        return a.from != b.from ? a.from < b.from : a.to < b.to;
    });
}

std::vector<std::size_t> all_ranks(std::size_t ranks) {
    std::vector<std::size_t> members(ranks);
    std::iota(members.begin(), members.end(), std::size_t{0});
    return members;
}

using Members = std::vector<std::size_t>;

// The members of each group, in the order of the groups' names.
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

// How many of `odd` further items each group gets, at most one for each member; groups where that
// saves a move come first.
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

std::vector<Transfer> match_surpluses(std::span<const Tokens> counts,
                                      std::span<const Tokens> targets) {
    std::vector<Tokens> left = differences(counts, targets);
    std::vector<Transfer> transfers;
    match_members(left, all_ranks(counts.size()), transfers);
    return transfers;
}

std::vector<Transfer> match_in_order(std::span<const Tokens> counts,
                                     std::span<const Tokens> targets) {
    std::vector<Transfer> transfers;
    std::size_t from = 0;
    std::size_t to = 0;
    Tokens held = 0;  // what `from` still has to give, and `to` still has to get
    Tokens wanted = 0;
    const std::size_t ranks = counts.size();
    if (ranks > 0) {
        held = counts[0];
        wanted = targets[0];
    }
    while (true) {
        while (from < ranks && held == 0)
            held = ++from < ranks ? counts[from] : 0;
        while (to < ranks && wanted == 0)
            wanted = ++to < ranks ? targets[to] : 0;
        if (from == ranks || to == ranks) return transfers;
        const Tokens items = std::min(held, wanted);
        if (from != to) transfers.push_back({static_cast<int>(from), static_cast<int>(to), items});
        held -= items;
        wanted -= items;
    }
}

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
    std::vector<Tokens> left = differences(counts, targets);
    std::vector<Transfer> transfers;
    const std::vector<std::size_t> everyone = all_ranks(counts.size());
    for (const Members& machine : grouped(everyone, places.machine)) {
        for (const Members& socket : grouped(machine, places.socket))
            match_members(left, socket, transfers);
        match_members(left, machine, transfers);
    }
    match_members(left, everyone, transfers);
    sort_by_ranks(transfers);
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

}  // namespace equipoise::balancer
