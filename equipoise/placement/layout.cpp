#include "equipoise/placement/layout.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::placement {

namespace {

// The sizes in a layout whose parcels are known except for their places.
Layout with_sizes(std::span<const Transfer> transfers, int rank, Tokens size) {
    Layout layout;
    Tokens received = 0;
    Tokens sent = 0;
    for (const Transfer& transfer : transfers) {
        if (transfer.from == rank) {
            layout.sends.push_back({transfer.to, 0, transfer.items});
            sent += transfer.items;
        }
        if (transfer.to == rank) {
            layout.receives.push_back({transfer.from, 0, transfer.items});
            received += transfer.items;
        }
    }
    EQUIPOISE_ASSERT(sent <= size);
    layout.size_before = size;
    layout.kept = size - sent;
    layout.size_after = layout.kept + received;
    return layout;
}

// Places parcels one after another from `place` on; returns where they end.
Tokens place_in_a_row(std::span<Parcel> parcels, Tokens place) {
    for (Parcel& parcel : parcels) {
        parcel.first = place;
        place += parcel.items;
    }
    return place;
}

// Places parcels before and after `kept` items, by rank; returns where the kept items begin.
Tokens place_around(std::span<Parcel> parcels, int rank, Tokens kept) {
    const auto behind = std::find_if(parcels.begin(), parcels.end(),
                                     [&](const Parcel& parcel) { return parcel.rank >= rank; });
    const auto before = static_cast<std::size_t>(behind - parcels.begin());
    const Tokens kept_place = place_in_a_row(parcels.first(before), 0);
    place_in_a_row(parcels.subspan(before), kept_place + kept);
    return kept_place;
}

// Which send goes to which rank, sorted by rank.
std::vector<std::pair<int, std::size_t>> parcels_by_rank(std::span<const Parcel> parcels) {
    std::vector<std::pair<int, std::size_t>> order;
    order.reserve(parcels.size());
    for (std::size_t i = 0; i < parcels.size(); ++i)
        order.emplace_back(parcels[i].rank, i);
    std::sort(order.begin(), order.end());
    return order;
}

// Stretches of places that stay, on one side of a layout.
std::vector<std::pair<Tokens, Tokens>> stretches(std::vector<Tokens> scattered, Tokens size,
                                                 Tokens kept_first, Tokens kept) {
    std::vector<std::pair<Tokens, Tokens>> found;
    if (scattered.empty()) {
        if (kept > 0) found.emplace_back(kept_first, kept);
        return found;
    }
    std::sort(scattered.begin(), scattered.end());
    Tokens next = 0;
    for (const Tokens place : scattered) {
        if (place > next) found.emplace_back(next, place - next);
        next = place + 1;
    }
    if (next < size) found.emplace_back(next, size - next);
    return found;
}

}  // namespace

Layout layout_at_end(std::span<const Transfer> transfers, int rank, Tokens size) {
    Layout layout = with_sizes(transfers, rank, size);
    place_in_a_row(layout.sends, layout.kept);
    place_in_a_row(layout.receives, layout.kept);
    return layout;
}

Layout layout_in_order(std::span<const Transfer> transfers, int rank, Tokens size) {
    Layout layout = with_sizes(transfers, rank, size);
    layout.kept_from = place_around(layout.sends, rank, layout.kept);
    layout.kept_to = place_around(layout.receives, rank, layout.kept);
    return layout;
}

Layout layout_of(std::span<const Departure> departures, std::span<const Transfer> transfers,
                 int rank, Tokens size) {
    Layout layout = with_sizes(transfers, rank, size);
    EQUIPOISE_ASSERT(static_cast<Tokens>(departures.size()) == layout.sent());
    place_in_a_row(layout.receives, layout.kept);
    place_in_a_row(layout.sends, 0);
    layout.leaving.resize(departures.size());
    const std::vector<std::pair<int, std::size_t>> order = parcels_by_rank(layout.sends);
    std::vector<Tokens> next(layout.sends.size());
    for (std::size_t i = 0; i < next.size(); ++i)
        next[i] = layout.sends[i].first;
    for (const Departure& departure : departures) {
        const auto found =
            std::lower_bound(order.begin(), order.end(), std::pair(departure.to, std::size_t{0}));
        EQUIPOISE_ASSERT(found != order.end() && found->first == departure.to);
        layout.leaving[static_cast<std::size_t>(next[found->second]++)] = departure.place;
    }
    bool last_leave = true;
    for (const Parcel& parcel : layout.sends) {
        const auto first = layout.leaving.begin() + parcel.first;
        EQUIPOISE_ASSERT(next[static_cast<std::size_t>(&parcel - layout.sends.data())] ==
                         parcel.first + parcel.items);
        std::sort(first, first + parcel.items);
        last_leave = last_leave && *first == layout.kept + parcel.first &&
                     *(first + parcel.items - 1) == layout.kept + parcel.first + parcel.items - 1;
    }
    if (last_leave) {
        layout.leaving.clear();
        place_in_a_row(layout.sends, layout.kept);
    }
    return layout;
}

Layout inverse(Layout layout) {
    std::swap(layout.sends, layout.receives);
    std::swap(layout.size_before, layout.size_after);
    std::swap(layout.kept_from, layout.kept_to);
    std::swap(layout.leaving, layout.arriving);
    return layout;
}

std::vector<Run> kept_runs(const Layout& layout) {
    const auto before =
        stretches(layout.leaving, layout.size_before, layout.kept_from, layout.kept);
    const auto after = stretches(layout.arriving, layout.size_after, layout.kept_to, layout.kept);
    std::vector<Run> runs;
    runs.reserve(before.size() + after.size());
    Tokens used_before = 0;  // of the stretch under way
    Tokens used_after = 0;
    for (std::size_t i = 0, j = 0; i < before.size() && j < after.size();) {
        const Tokens items = std::min(before[i].second - used_before, after[j].second - used_after);
        runs.push_back({before[i].first + used_before, after[j].first + used_after, items});
        used_before += items;
        used_after += items;
        if (used_before == before[i].second) used_before = 0, ++i;
        if (used_after == after[j].second) used_after = 0, ++j;
    }
    return runs;
}

}  // namespace equipoise::placement
