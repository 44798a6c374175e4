#include "equipoise/placement/few_moves/gathered.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "equipoise/placement/few_moves/lower_bounds.hpp"
#include "equipoise/placement/few_moves/search.hpp"
#include "equipoise/placement/few_moves/subsets.hpp"
#include "equipoise/placement/few_moves/weighted.hpp"
#include "equipoise/placement/targets.hpp"

namespace equipoise::placement {

namespace {

// Items begin[rank] .. begin[rank + 1] are those of a rank.
std::vector<std::size_t> begins_of(const Pool& pool, std::size_t ranks) {
    std::vector<std::size_t> begins(ranks + 1, 0);
    for (const int rank : pool.home)
        ++begins[static_cast<std::size_t>(rank) + 1];
    for (std::size_t rank = 0; rank < ranks; ++rank)
        begins[rank + 1] += begins[rank];
    return begins;
}

}  // namespace

// The pinned weight of a rank counts as one pinned item before the others.
Assignment place_in_lines(const Gathered& items, const Capacity& capacity) {
    const Pool& pool = items.pool;
    const std::size_t ranks = capacity.ranks();
    const std::vector<std::size_t> begins = begins_of(pool, ranks);
    std::vector<std::vector<double>> weights(ranks);
    std::vector<double> loads(ranks);
    std::vector<double> speeds(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        weights[rank].push_back(items.pinned[rank]);
        for (std::size_t item = begins[rank]; item < begins[rank + 1]; ++item)
            weights[rank].push_back(items.weights[item]);
        for (const double weight : weights[rank])
            loads[rank] += weight;
        speeds[rank] = capacity.speed(rank);
    }
    const std::vector<double> targets = weight_targets(loads, items.pinned, speeds);
    std::vector<Cut> cuts(ranks);
    std::vector<WeightedRank> parts(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        cuts[rank] = cut_at(weights[rank], 1, targets[rank]);
        parts[rank] = {loads[rank], targets[rank], cuts[rank].kept_weight, cuts[rank].next_weight};
    }
    const WeightedLines lines = weighted_lines(parts);
    Assignment found;
    found.at = pool.home;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const Tokens kept = cuts[rank].kept + (lines.keeps_next[rank] ? 1 : 0);
        std::size_t item = begins[rank] + static_cast<std::size_t>(kept) - 1;
        for (const WeightedParcel& parcel :
             weighted_parcels(lines, static_cast<int>(rank), weights[rank], kept)) {
            for (Tokens i = 0; i < parcel.items; ++i)
                found.at[item++] = parcel.to;
        }
    }
    appraise(pool, capacity, found);
    return found;
}

std::vector<double> levels_at_least(const Pool& pool, const Capacity& capacity) {
    std::vector<double> levels(capacity.levelled());
    std::vector<Units> weights(pool.items());
    for (std::size_t kind = 0; kind < levels.size(); ++kind) {
        for (std::size_t item = 0; item < pool.items(); ++item)
            weights[item] = pool.weight(item)[kind];
        levels[kind] = level_at_least(capacity, kind, weights);
    }
    return levels;
}

Departures departures_at_least(const Pool& pool, const Capacity& capacity, double level) {
    const std::size_t kinds = pool.kinds;
    const std::vector<std::size_t> begins = begins_of(pool, capacity.ranks());
    const Assignment home = at_home(pool, capacity);
    std::vector<Units> excess(kinds);
    Departures all;
    for (std::size_t rank = 0; rank < capacity.ranks(); ++rank) {
        const std::size_t items = begins[rank + 1] - begins[rank];
        const auto bytes = pool.by_bytes ? std::span(pool.bytes).subspan(begins[rank], items)
                                         : std::span<const Units>();
        for (std::size_t kind = 0; kind < kinds; ++kind)
            excess[kind] = home.loads[rank * kinds + kind] - capacity.cap(rank, kind, level);
        const auto weight = [&](std::size_t item, std::size_t kind) {
            return pool.weight(begins[rank] + item)[kind];
        };
        const Departures here =
            departures_at_least(excess, items, weight, bytes, capacity.limited());
        all.items += here.items;
        all.bytes += here.bytes;
    }
    return all;
}

Assignment place_gathered(const Gathered& items, const Capacity& capacity, double bound) {
    const Pool& pool = items.pool;
    Assignment home = at_home(pool, capacity);
    if (within(home.level, bound)) return home;
    const std::vector<double> levels = levels_at_least(pool, capacity);
    const double at_least = *std::max_element(levels.begin(), levels.end());
    if (few_enough(pool.items(), capacity.ranks()))
        return best_over_subsets(pool, capacity, std::max(bound, at_least));
    Assignment found = search(pool, capacity, {.bound = bound, .level_at_least = at_least});
    if (pool.kinds == 1) {
        Assignment lines = place_in_lines(items, capacity);
        if (better(lines, found, bound)) return lines;
    }
    return found;
}

}  // namespace equipoise::placement
