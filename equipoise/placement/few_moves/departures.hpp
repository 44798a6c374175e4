#pragma once
// How much must leave a rank that holds too much.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/few_moves/capacity.hpp"

namespace equipoise::placement {

/// The fewest items and the fewest bytes that leave a rank.
struct Departures {
    Tokens items = 0;
    double bytes = 0;
};

/// What two demands make together: the larger of each.
[[nodiscard]] inline Departures both(const Departures& one, const Departures& other) {
    return {std::max(one.items, other.items), std::max(one.bytes, other.bytes)};
}

/// The first items by falling key (0 or more) that together weigh enough: those that are certainly
/// among them, added up, and in their order those of which some may be. With many items the latter
/// are those whose keys are equal up to a factor of 1 + 2^-5.
struct Foremost {
    Tokens items = 0;
    Units weight = 0;
    double bytes = 0;
    std::vector<std::uint32_t> next;
};

/// `weight` and `key` are functions of the number of an item. Cost O(items) and a sort of `next`.
template <class Weight, class Key>
[[nodiscard]] Foremost foremost(std::size_t items, const Weight& weight,
                                std::span<const Units> bytes, Units enough, const Key& key) {
    constexpr unsigned bits_dropped = 18;  // of the 23 behind the point of a float
    constexpr std::size_t classes = std::size_t{1} << (31U - bits_dropped);
    Foremost found;
    if (items <= classes) {
        found.next.resize(items);
        std::iota(found.next.begin(), found.next.end(), std::uint32_t{0});
    } else {
        std::vector<std::uint16_t> class_of(items);
        std::vector<Units> sums(classes, 0);
        for (std::size_t item = 0; item < items; ++item) {
            // The bits of numbers that are 0 or more are in the order of the numbers.
            const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(key(item)));
            class_of[item] = static_cast<std::uint16_t>(bits >> bits_dropped);
            sums[class_of[item]] += weight(item);
        }
        std::size_t last = classes - 1;
        for (; last > 0 && found.weight + sums[last] < enough; --last)
            found.weight += sums[last];
        for (const std::uint16_t own : class_of)
            found.items += own > last ? 1 : 0;
        for (std::uint32_t item = 0; item < items; ++item)
            if (class_of[item] == last) found.next.push_back(item);
        for (std::size_t item = 0; item < bytes.size(); ++item)
            if (class_of[item] > last) found.bytes += static_cast<double>(bytes[item]);
    }
    std::sort(found.next.begin(), found.next.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(a) > key(b); });
    return found;
}

/// The fewest items and bytes that must leave a rank that holds `excess` too much of one kind, if
/// the items that can leave have this weight of it, a function of their number, and these bytes
/// (empty: none).
///
/// The fewest items are the heaviest ones. The fewest bytes are those of a relaxation: items by
/// falling weight per byte, the last of them in part. Cost O(items) and a sort of the few among
/// which the last one is. At most weighted_items_max items.
template <class Weight>
[[nodiscard]] Departures departures_at_least(Units excess, std::size_t items, const Weight& weight,
                                             std::span<const Units> bytes) {
    Departures least;
    if (excess <= 0) return least;
    const Foremost heaviest = foremost(items, weight, {}, excess, weight);
    least.items = heaviest.items;
    Units left = excess - heaviest.weight;
    for (const std::uint32_t item : heaviest.next) {
        if (left <= 0) break;
        left -= weight(item);
        ++least.items;
    }
    if (bytes.empty()) return least;
    const auto ratio = [&](std::size_t item) {
        return bytes[item] > 0
                   ? static_cast<double>(weight(item)) / static_cast<double>(bytes[item])
                   : static_cast<double>(weight(item)) * 0x1p62;
    };
    const Foremost densest = foremost(items, weight, bytes, excess, ratio);
    least.bytes = densest.bytes;
    left = excess - densest.weight;
    for (const std::uint32_t item : densest.next) {
        const Units w = weight(item);
        if (left <= 0 || w == 0) break;
        const double part = w <= left ? 1.0 : static_cast<double>(left) / static_cast<double>(w);
        least.bytes += part * static_cast<double>(bytes[item]);
        left -= w;
    }
    return least;
}

/// The same for a rank that holds too much of several kinds (by kind; 0 or less: not too much), of
/// which an item has `weight(item, kind)`: the most that one of them demands and, if `together`,
/// what they demand as one: each item removes a part of what is too much of each kind, at most all
/// of it, and these parts must add up to the number of kinds.
template <class Weight>
[[nodiscard]] Departures departures_at_least(std::span<const Units> excess, std::size_t items,
                                             const Weight& weight, std::span<const Units> bytes,
                                             bool together) {
    constexpr double whole = 0x1p40;  // parts are rounded up to whole multiples of 1 / whole
    const auto demands = std::count_if(excess.begin(), excess.end(), [](Units e) { return e > 0; });
    Departures least;
    std::vector<Units> weights(demands > 0 ? items : 0);
    std::vector<Units> parts(together && demands > 1 ? items : 0, 0);
    for (std::size_t kind = 0; kind < excess.size(); ++kind) {
        if (excess[kind] <= 0) continue;
        for (std::size_t item = 0; item < items; ++item)
            weights[item] = weight(item, kind);
        const auto of_kind = [&](std::size_t item) { return weights[item]; };
        least = both(least, departures_at_least(excess[kind], items, of_kind, bytes));
        for (std::size_t item = 0; item < parts.size(); ++item)
            parts[item] +=
                static_cast<Units>(static_cast<double>(std::min(weights[item], excess[kind])) /
                                       static_cast<double>(excess[kind]) * whole +
                                   (weights[item] > 0 ? 2 : 0));
    }
    if (parts.empty()) return least;
    const auto part = [&](std::size_t item) { return parts[item]; };
    return both(least,
                departures_at_least(static_cast<Units>(whole) * demands, items, part, bytes));
}

}  // namespace equipoise::placement
