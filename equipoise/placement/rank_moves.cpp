#include "equipoise/placement/rank_moves.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::placement {

namespace {

// The moves of a rank, except for the places of parcels.
RankMoves with_sizes(std::span<const Transfer> transfers, int rank, Tokens size) {
    RankMoves moves;
    Tokens received = 0;
    Tokens sent = 0;
    for (const Transfer& transfer : transfers) {
        if (transfer.from == rank) {
            moves.sends.push_back({transfer.to, 0, transfer.items});
            sent += transfer.items;
        }
        if (transfer.to == rank) {
            moves.receives.push_back({transfer.from, 0, transfer.items});
            received += transfer.items;
        }
    }
    EQUIPOISE_ASSERT(sent <= size);
    moves.size_before = size;
    moves.kept = size - sent;
    moves.size_after = moves.kept + received;
    return moves;
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

// Stretches of places that stay, before or after the moves.
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

RankMoves moves_at_end(std::span<const Transfer> transfers, int rank, Tokens size) {
    RankMoves moves = with_sizes(transfers, rank, size);
    place_in_a_row(moves.sends, moves.kept);
    place_in_a_row(moves.receives, moves.kept);
    return moves;
}

RankMoves moves_in_order(std::span<const Transfer> transfers, int rank, Tokens size) {
    RankMoves moves = with_sizes(transfers, rank, size);
    moves.kept_from = place_around(moves.sends, rank, moves.kept);
    moves.kept_to = place_around(moves.receives, rank, moves.kept);
    return moves;
}

RankMoves moves_of(std::span<const Departure> departures, std::span<const Transfer> transfers,
                   int rank, Tokens size) {
    RankMoves moves = with_sizes(transfers, rank, size);
    EQUIPOISE_ASSERT(static_cast<Tokens>(departures.size()) == moves.sent());
    place_in_a_row(moves.receives, moves.kept);
    place_in_a_row(moves.sends, 0);
    moves.leaving.resize(departures.size());
    // By rank: where its next item goes.
    std::vector<Tokens> next;
    for (const Parcel& parcel : moves.sends) {
        const auto to = static_cast<std::size_t>(parcel.rank);
        next.resize(std::max(next.size(), to + 1));
        next[to] = parcel.first;
    }
    for (const Departure& departure : departures) {
        EQUIPOISE_ASSERT(static_cast<std::size_t>(departure.to) < next.size());
        moves.leaving[static_cast<std::size_t>(next[static_cast<std::size_t>(departure.to)]++)] =
            departure.place;
    }
    bool last_leave = true;
    for (const Parcel& parcel : moves.sends) {
        const auto first = moves.leaving.begin() + parcel.first;
        EQUIPOISE_ASSERT(next[static_cast<std::size_t>(parcel.rank)] ==
                         parcel.first + parcel.items);
        if (!std::is_sorted(first, first + parcel.items)) std::sort(first, first + parcel.items);
        last_leave = last_leave && *first == moves.kept + parcel.first &&
                     *(first + parcel.items - 1) == moves.kept + parcel.first + parcel.items - 1;
    }
    if (last_leave) {
        moves.leaving.clear();
        place_in_a_row(moves.sends, moves.kept);
    }
    return moves;
}

RankMoves inverse(RankMoves moves) {
    std::swap(moves.sends, moves.receives);
    std::swap(moves.size_before, moves.size_after);
    std::swap(moves.kept_from, moves.kept_to);
    std::swap(moves.leaving, moves.arriving);
    return moves;
}

std::vector<Run> kept_runs(const RankMoves& moves) {
    const auto before = stretches(moves.leaving, moves.size_before, moves.kept_from, moves.kept);
    const auto after = stretches(moves.arriving, moves.size_after, moves.kept_to, moves.kept);
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
