#include "equipoise/placement/few_moves/evictions.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

#include "equipoise/placement/hierarchical.hpp"
#include "equipoise/placement/matching.hpp"

namespace equipoise::placement {

namespace {

// Ranks that are asked for room for one item.
constexpr std::size_t receivers_asked = 16;

// By rank: what it holds of a kind beyond its room; negative: room that is left.
std::vector<Units> excess_of(const Capacity& capacity, std::span<const Units> loads,
                             std::size_t kind) {
    std::vector<Units> excess(capacity.ranks());
    for (std::size_t rank = 0; rank < excess.size(); ++rank)
        excess[rank] = loads[rank * capacity.kinds() + kind] - capacity.cap(rank, kind, 0);
    return excess;
}

// Every rank with room gets its part of the excess, rounded such that all of it is dealt.
std::vector<Eviction> allot_items(std::span<const Units> excess, std::span<const int> machine) {
    Int128 all = 0;
    Int128 room = 0;
    for (const Units one : excess)
        (one > 0 ? all : room) += one > 0 ? one : -one;
    std::vector<Tokens> counts(excess.size());
    std::vector<Tokens> targets(excess.size());
    Int128 passed = 0;
    Tokens dealt = 0;
    for (std::size_t rank = 0; rank < excess.size(); ++rank) {
        counts[rank] = std::max<Units>(excess[rank], 0);
        if (excess[rank] >= 0) continue;
        passed -= excess[rank];
        const auto until = static_cast<Tokens>(all * passed / room);
        targets[rank] = until - dealt;
        dealt = until;
    }
    const std::vector<Transfer> transfers =
        machine.empty() ? match_surpluses(counts, targets)
                        : match_hierarchically(counts, targets, {machine, machine});
    std::vector<Eviction> found;
    for (const Transfer& transfer : transfers)
        found.push_back({static_cast<int>(transfer.from), static_cast<int>(transfer.to),
                         transfer.items, std::numeric_limits<Units>::max()});
    return found;
}

double part(Units some, double all) {
    return all > 0 ? static_cast<double>(some) / all : 0;
}

// Rooms lie side by side on a line of length 1, as long as their part of all room, and so do the
// ranks that hold too much.
std::vector<Eviction> allot_bytes(std::span<const Units> items, std::span<const Units> bytes) {
    double room_for_items = 0;
    double room_for_bytes = 0;
    for (std::size_t rank = 0; rank < items.size(); ++rank) {
        room_for_items += static_cast<double>(std::max<Units>(0, -items[rank]));
        room_for_bytes += static_cast<double>(std::max<Units>(0, -bytes[rank]));
    }
    std::vector<double> wanted(items.size(), 0);
    std::vector<double> length(items.size(), 0);
    double all_wanted = 0;
    double all_length = 0;
    for (std::size_t rank = 0; rank < items.size(); ++rank) {
        if (items[rank] > 0 || bytes[rank] > 0)
            wanted[rank] = std::max(
                {part(items[rank], room_for_items), part(bytes[rank], room_for_bytes), 0x1p-60});
        else if (items[rank] < 0 && bytes[rank] < 0)
            length[rank] = part(-items[rank], room_for_items) + part(-bytes[rank], room_for_bytes);
        all_wanted += wanted[rank];
        all_length += length[rank];
    }
    std::vector<Eviction> found;
    if (!(all_wanted > 0 && all_length > 0)) return found;
    std::size_t to = 0;
    double taken = 0;  // of the room of `to`
    for (std::size_t from = 0; from < wanted.size(); ++from) {
        double left = wanted[from] / all_wanted * all_length;
        while (left > 0 && to < length.size()) {
            const double some = std::min(left, length[to] - taken);
            if (some > 0) {
                const double share = some / length[to];
                found.push_back({static_cast<int>(from), static_cast<int>(to),
                                 static_cast<Tokens>(share * static_cast<double>(-items[to])),
                                 static_cast<Units>(share * static_cast<double>(-bytes[to]))});
                left -= some;
                taken += some;
            }
            if (taken < length[to]) break;
            ++to;
            taken = 0;
        }
    }
    return found;
}

// The rooms that one rank may fill, and the loads of their ranks.
class Receivers {
  public:
    Receivers(const Capacity& capacity, std::span<const Units> loads, std::size_t from,
              std::span<const Eviction> evictions)
        : capacity_(&capacity), kinds_(capacity.kinds()) {
        for (const Eviction& eviction : evictions) {
            if (eviction.from != static_cast<int>(from) || eviction.items <= 0) continue;
            const auto to = static_cast<std::size_t>(eviction.to);
            rooms_.push_back(eviction);
            const std::span<const Units> load = loads.subspan(to * kinds_, kinds_);
            loads_.insert(loads_.end(), load.begin(), load.end());
            lowest_.emplace(-capacity.level(to, load), rooms_.size() - 1);
        }
    }

    // The lowest rank with room for an item, which is then there; -1 if none of those asked has.
    int take(const std::function<Units(std::size_t)>& weight) {
        const std::size_t bytes_kind = capacity_->levelled() + 1;
        const Units bytes = bytes_kind < kinds_ ? weight(bytes_kind) : 0;
        std::vector<std::pair<double, std::size_t>> passed;
        int found = -1;
        while (found < 0 && !lowest_.empty() && passed.size() < receivers_asked) {
            const auto [level, which] = lowest_.top();
            lowest_.pop();
            Eviction& room = rooms_[which];
            if (room.bytes < bytes) {
                passed.emplace_back(level, which);
                continue;
            }
            found = room.to;
            room.bytes -= bytes;
            const std::span<Units> load = std::span(loads_).subspan(which * kinds_, kinds_);
            for (std::size_t kind = 0; kind < kinds_; ++kind)
                load[kind] += weight(kind);
            if (--room.items > 0)
                lowest_.emplace(-capacity_->level(static_cast<std::size_t>(found), load), which);
        }
        for (const auto& one : passed)
            lowest_.push(one);
        return found;
    }

  private:
    const Capacity* capacity_;
    std::size_t kinds_;
    std::vector<Eviction> rooms_;
    std::vector<Units> loads_;
    std::priority_queue<std::pair<double, std::size_t>> lowest_;
};

}  // namespace

std::vector<Eviction> allot_evictions(const Capacity& capacity, std::span<const Units> loads,
                                      std::span<const int> machine) {
    const std::vector<Units> items = excess_of(capacity, loads, capacity.levelled());
    if (capacity.kinds() == capacity.levelled() + 1) return allot_items(items, machine);
    return allot_bytes(items, excess_of(capacity, loads, capacity.levelled() + 1));
}

std::vector<Evicted> choose_evicted(
    const Capacity& capacity, std::span<const Units> loads, double bound, std::size_t rank,
    std::span<const Eviction> evictions, std::size_t items,
    const std::function<Units(std::size_t item, std::size_t kind)>& weight) {
    const std::size_t kinds = capacity.kinds();
    const std::size_t items_kind = capacity.levelled();
    const std::span<const Units> mine = loads.subspan(rank * kinds, kinds);
    std::vector<Units> load(mine.begin(), mine.end());
    const auto lacks = [&](std::size_t kind) { return load[kind] - capacity.cap(rank, kind, 0); };
    std::vector<Evicted> found;
    const bool bytes_limited = kinds > items_kind + 1;
    if (lacks(items_kind) <= 0 && !(bytes_limited && lacks(items_kind + 1) > 0)) return found;
    Receivers receivers(capacity, loads, rank, evictions);
    std::vector<bool> passed(items, false);  // gone, or without room elsewhere
    const auto evict = [&](std::uint32_t item) {
        passed[item] = true;
        const int to = receivers.take([&](std::size_t kind) { return weight(item, kind); });
        if (to < 0) return;
        found.push_back({item, to});
        for (std::size_t kind = 0; kind < kinds; ++kind)
            load[kind] -= weight(item, kind);
    };
    std::vector<std::uint32_t> order(items);
    std::iota(order.begin(), order.end(), 0U);
    if (bytes_limited) {
        const std::size_t kind = items_kind + 1;
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return weight(a, kind) != weight(b, kind) ? weight(a, kind) < weight(b, kind) : a < b;
        });
        // Where an item finds no room, larger ones find none either.
        for (std::size_t end = items; lacks(kind) > 0 && end > 0;) {
            const std::span<const std::uint32_t> left = std::span(order).first(end);
            const auto enough = std::lower_bound(
                left.begin(), left.end(), lacks(kind),
                [&](std::uint32_t item, Units least) { return weight(item, kind) < least; });
            end = std::min(static_cast<std::size_t>(enough - left.begin()), end - 1);
            if (weight(order[end], kind) == 0) break;
            evict(order[end]);
        }
    }
    if (lacks(items_kind) <= 0) return found;
    std::vector<Units> sizes(items);
    std::vector<Units> own(kinds);
    for (std::uint32_t item = 0; item < items; ++item) {
        for (std::size_t kind = 0; kind < kinds; ++kind)
            own[kind] = weight(item, kind);
        sizes[item] = capacity.size(own);
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return sizes[a] != sizes[b] ? sizes[a] < sizes[b] : a < b;
    });
    const auto is_high = [&] {
        for (std::size_t kind = 0; kind < capacity.levelled(); ++kind)
            if (load[kind] > capacity.cap(rank, kind, bound)) return true;
        return false;
    };
    for (std::size_t light = 0, heavy = items; lacks(items_kind) > 0 && light < heavy;) {
        const std::uint32_t item = is_high() ? order[--heavy] : order[light++];
        if (!passed[item]) evict(item);
    }
    return found;
}

}  // namespace equipoise::placement
