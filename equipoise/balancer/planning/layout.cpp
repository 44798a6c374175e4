#include "equipoise/balancer/planning/layout.hpp"

#include "equipoise/base/assert.hpp"

namespace equipoise::balancer {

namespace {

// Sizes of a layout whose parcels are known but for their places.
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

}  // namespace

Layout layout_at_end(std::span<const Transfer> transfers, int rank, Tokens size) {
    Layout layout = with_sizes(transfers, rank, size);
    Tokens place = layout.kept;
    for (Parcel& parcel : layout.sends) {
        parcel.first = place;
        place += parcel.items;
    }
    place = layout.kept;
    for (Parcel& parcel : layout.receives) {
        parcel.first = place;
        place += parcel.items;
    }
    return layout;
}

Layout layout_in_order(std::span<const Transfer> transfers, int rank, Tokens size) {
    Layout layout = with_sizes(transfers, rank, size);
    const auto before = [&](const Parcel& parcel) { return parcel.rank < rank; };
    Tokens place = 0;
    bool past_kept = false;
    for (Parcel& parcel : layout.sends) {
        if (!before(parcel) && !past_kept) {
            layout.kept_from = place;
            place += layout.kept;
            past_kept = true;
        }
        parcel.first = place;
        place += parcel.items;
    }
    if (!past_kept) layout.kept_from = place;
    place = 0;
    past_kept = false;
    for (Parcel& parcel : layout.receives) {
        if (!before(parcel) && !past_kept) {
            layout.kept_to = place;
            place += layout.kept;
            past_kept = true;
        }
        parcel.first = place;
        place += parcel.items;
    }
    if (!past_kept) layout.kept_to = place;
    return layout;
}

}  // namespace equipoise::balancer
