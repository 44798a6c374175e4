#include "equipoise/placement/few_moves/weighted.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace equipoise::placement {

Cut cut_at(std::span<const double> weights, Tokens pinned, double target) {
    Cut cut;
    std::size_t kept = 0;
    const auto certain = static_cast<std::size_t>(pinned);
    while (kept < weights.size() &&
           (kept < certain || weights[kept] == 0 || cut.kept_weight + weights[kept] <= target))
        cut.kept_weight += weights[kept++];
    cut.kept = static_cast<Tokens>(kept);
    if (kept < weights.size()) cut.next_weight = weights[kept];
    cut.given_after = std::accumulate(weights.begin() + cut.kept, weights.end(), 0.0);
    return cut;
}

WeightedLines weighted_lines(std::span<const WeightedRank> ranks) {
    WeightedLines lines;
    lines.keeps_next.resize(ranks.size(), false);
    lines.given_before.resize(ranks.size(), 0);
    double gaps = 0;
    double given = 0;
    double taken = 0;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        const WeightedRank& rank = ranks[r];
        lines.given_before[r] = given;
        if (rank.next_weight > 0) {  // a giver: something lies beyond its target
            const double lower = gaps + rank.target - rank.kept_weight;
            const double upper = lower - rank.next_weight;
            lines.keeps_next[r] = std::abs(upper) < std::abs(lower);
            gaps = lines.keeps_next[r] ? upper : lower;
            given += rank.weight - rank.kept_weight - (lines.keeps_next[r] ? rank.next_weight : 0);
        } else if (rank.weight < rank.target) {
            taken += rank.target - rank.weight;
            lines.takers.push_back(static_cast<int>(r));
            lines.taken_until.push_back(taken);
        }
    }
    return lines;
}

std::vector<WeightedParcel> weighted_parcels(const WeightedLines& lines, int rank,
                                             std::span<const double> weights, Tokens kept) {
    std::vector<WeightedParcel> parcels;
    if (lines.takers.empty()) return parcels;
    double position = lines.given_before[static_cast<std::size_t>(rank)];
    const auto first =
        std::upper_bound(lines.taken_until.begin(), lines.taken_until.end(), position);
    auto taker = static_cast<std::size_t>(first - lines.taken_until.begin());
    const std::size_t last = lines.takers.size() - 1;
    for (std::size_t item = static_cast<std::size_t>(kept); item < weights.size(); ++item) {
        const double middle = position + weights[item] / 2;
        while (taker < last && lines.taken_until[taker] <= middle)
            ++taker;
        const int to = lines.takers[std::min(taker, last)];
        if (parcels.empty() || parcels.back().to != to) parcels.push_back({to, 0, 0});
        ++parcels.back().items;
        parcels.back().weight += weights[item];
        position += weights[item];
    }
    return parcels;
}

}  // namespace equipoise::placement
