#include "equipoise/placement/matching.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace equipoise::placement {

void match_among(std::span<Tokens> left, std::span<const std::size_t> ranks,
                 std::vector<Transfer>& transfers) {
    std::size_t giver = 0;
    std::size_t taker = 0;
    while (true) {
        while (giver < ranks.size() && left[ranks[giver]] <= 0)
            ++giver;
        while (taker < ranks.size() && left[ranks[taker]] >= 0)
            ++taker;
        if (giver == ranks.size() || taker == ranks.size()) return;
        Tokens& surplus = left[ranks[giver]];
        Tokens& deficit = left[ranks[taker]];
        const Tokens items = std::min(surplus, -deficit);
        transfers.push_back(
            {static_cast<int>(ranks[giver]), static_cast<int>(ranks[taker]), items});
        surplus -= items;
        deficit += items;
    }
}

std::vector<Tokens> above_targets(std::span<const Tokens> counts, std::span<const Tokens> targets) {
    std::vector<Tokens> left(counts.size());
    for (std::size_t rank = 0; rank < counts.size(); ++rank)
        left[rank] = counts[rank] - targets[rank];
    return left;
}

std::vector<std::size_t> all_ranks(std::size_t ranks) {
    std::vector<std::size_t> members(ranks);
    std::iota(members.begin(), members.end(), std::size_t{0});
    return members;
}

std::vector<Transfer> match_surpluses(std::span<const Tokens> counts,
                                      std::span<const Tokens> targets) {
    std::vector<Tokens> left = above_targets(counts, targets);
    std::vector<Transfer> transfers;
    match_among(left, all_ranks(counts.size()), transfers);
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

}  // namespace equipoise::placement
