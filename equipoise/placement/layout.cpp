#include "equipoise/placement/layout.hpp"

#include <algorithm>
#include <cstddef>

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

}  // namespace equipoise::placement
