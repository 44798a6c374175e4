#include "equipoise/placement/few_moves.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "equipoise/placement/capacity.hpp"
#include "equipoise/placement/gathered.hpp"

namespace equipoise::placement {

namespace {

double sum_of(std::span<const double> numbers, std::size_t first, std::size_t step) {
    double sum = 0;
    for (std::size_t i = first; i < numbers.size(); i += step)
        sum += numbers[i];
    return sum;
}

}  // namespace

Placement place(std::span<const RankItems> ranks, const PlaceOptions& options) {
    const std::size_t kinds = options.weights_per_item;
    Gathered items;
    Pool& pool = items.pool;
    pool.kinds = kinds;
    std::vector<UnitScale> scales(kinds);
    double bytes = 0;
    for (const RankItems& rank : ranks) {
        pool.by_bytes = pool.by_bytes || !rank.sizes.empty();
        bytes += sum_of(rank.sizes, 0, 1);
    }
    const UnitScale bytes_scale(bytes, bytes_bits);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        double total = 0;
        for (const RankItems& rank : ranks)
            total += sum_of(rank.weights, kind, kinds);
        scales[kind] = UnitScale(total, 60);
    }
    std::vector<double> speeds;
    std::vector<Units> loads;
    std::vector<Units> pinned;
    std::vector<Tokens> places;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        const RankItems& rank = ranks[r];
        const auto stays = static_cast<std::size_t>(rank.pinned);
        speeds.push_back(rank.speed);
        if (options.machines_first) pool.machine.push_back(rank.machine);
        std::vector<Units> load(kinds, 0);
        std::vector<double> real(kinds, 0);
        for (std::size_t i = 0; i < rank.weights.size() / kinds; ++i) {
            if (i == stays) pinned.insert(pinned.end(), load.begin(), load.end());
            for (std::size_t kind = 0; kind < kinds; ++kind) {
                const double weight = rank.weights[i * kinds + kind];
                const Units units = scales[kind].units(weight);
                load[kind] += units;
                if (i < stays) {
                    real[kind] += weight;
                } else {
                    items.weights.push_back(weight);
                    pool.weights.push_back(units);
                }
            }
            if (i < stays) continue;
            pool.home.push_back(static_cast<int>(r));
            if (pool.by_bytes) pool.bytes.push_back(bytes_scale.units(rank.sizes[i]));
            places.push_back(static_cast<Tokens>(i));
        }
        if (stays >= rank.weights.size() / kinds)
            pinned.insert(pinned.end(), load.begin(), load.end());
        items.pinned.insert(items.pinned.end(), real.begin(), real.end());
        loads.insert(loads.end(), load.begin(), load.end());
    }
    pool.stays = pinned;
    const Capacity capacity(kinds, speeds, loads, pinned);
    const double bound = 1 + options.tolerance;
    const Assignment found = place_gathered(items, capacity, bound);
    const double level = std::max(bound, found.level);

    Placement placement;
    const auto real = [&](double value) {
        return (kinds == 1 ? scales[0].real(value) : value) / capacity.largest_speed();
    };
    placement.largest_before = real(capacity.largest(loads));
    placement.largest = real(capacity.largest(found.loads));
    const std::vector<double> least = levels_at_least(pool, capacity);
    double at_least = capacity.largest(pinned);
    for (std::size_t kind = 0; kind < kinds; ++kind)
        at_least =
            std::max(at_least, least[kind] * capacity.share(kind) / capacity.yardstick(kind));
    placement.largest_at_least = std::min(real(at_least), placement.largest);
    placement.share = real(capacity.share(0) / capacity.yardstick(0));
    for (std::size_t item = 0; item < pool.items(); ++item) {
        if (found.at[item] == pool.home[item]) continue;
        placement.moves.push_back({pool.home[item], places[item], found.at[item]});
        ++placement.moved;
        if (pool.by_bytes)
            placement.bytes_moved += ranks[static_cast<std::size_t>(pool.home[item])]
                                         .sizes[static_cast<std::size_t>(places[item])];
        if (ranks[static_cast<std::size_t>(pool.home[item])].machine !=
            ranks[static_cast<std::size_t>(found.at[item])].machine)
            ++placement.between_machines;
    }
    const Departures departures = departures_at_least(pool, capacity, level);
    placement.moved_at_least = departures.items;
    placement.bytes_at_least = std::min(bytes_scale.real(departures.bytes), placement.bytes_moved);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        for (std::size_t kind = 0; kind < kinds; ++kind)
            placement.loads.push_back(
                scales[kind].real(static_cast<double>(found.loads[rank * kinds + kind])));
    }
    return placement;
}

}  // namespace equipoise::placement
