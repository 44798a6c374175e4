#pragma once
// A plan as lists, for programs that exchange their items themselves.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/rank_moves.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::placement {

/// Where the items of a rank go in the end, and whence others arrive: all rounds of a plan
/// together.
struct Routes {
    std::vector<Parcel> sends;     ///< by rank; those for one rank in the order in which they leave
    std::vector<Parcel> receives;  ///< by rank; those from one rank in the same order
    std::vector<Run> kept;         ///< items that stay or come back, by old place
    std::span<const Tokens> leaving;   ///< as in RankMoves
    std::span<const Tokens> arriving;  ///< as in RankMoves
    Tokens size_before = 0;
    Tokens most = 0;  ///< the most items that any rank sends, or receives; the same on all ranks
};

/// The routes of a plan of one round, whose transfers are those of all `ranks`. `moves` must
/// outlive them. Cost O(transfers + k log k) for k parcels and scattered places of this rank.
[[nodiscard]] Routes routes_of(const RankMoves& moves, std::span<const Transfer> transfers,
                               int ranks);

/// The routes of a plan of several rounds, in each of which the last items of every rank leave, in
/// the order of `transfers`, and arrivals are appended (moves_at_end). `round_ends[k]` says how
/// many transfers the first k + 1 rounds have. `size` is the number of items that `rank` holds
/// before. Every item is followed from rank to rank, together with its neighbours. Cost O(batches
/// log batches), one batch for each stretch of items that a transfer carries.
[[nodiscard]] Routes routes_of(std::span<const Transfer> transfers,
                               std::span<const std::size_t> round_ends, int rank, int ranks,
                               Tokens size);

/// For every item of `rank` the rank where it ends. Cost O(items).
[[nodiscard]] std::vector<int> destinations_of(const Routes& routes, int rank);

/// What leaves a rank and what arrives there, as MPI_Alltoallv and its like take it. Items that
/// stay are not counted.
template <std::integral Count>
struct Exchange {
    /// How many items go to and come from each rank: 0 for this rank itself.
    std::vector<Count> send_counts;
    std::vector<Count> receive_counts;
    /// How many go to and come from the ranks before it: where those of a rank begin.
    std::vector<Count> send_offsets;
    std::vector<Count> receive_offsets;
    /// The old places of the items that leave, in the order in which they do: those for rank 0,
    /// those for rank 1, ...
    std::vector<Tokens> send_order;
    /// The new places of those that arrive, in the order in which they do: those from rank 0, ...
    std::vector<Tokens> receive_places;
    /// Items that stay on this rank, and their places before and after.
    std::vector<Run> kept;
};

/// Throws InputError if some rank sends or receives more than `largest` items: on all ranks alike,
/// since all know the largest number.
void expect_counts_up_to(Tokens largest, Tokens most);

/// The exchange that follows from routes between `ranks`. Counts are narrowed where that changes
/// none of them, on any rank. Cost O(ranks + items that leave or arrive).
template <std::integral Count>
[[nodiscard]] Exchange<Count> exchange_of(const Routes& routes, int ranks) {
    if constexpr (std::cmp_less(std::numeric_limits<Count>::max(), tokens_max))
        expect_counts_up_to(static_cast<Tokens>(std::numeric_limits<Count>::max()), routes.most);
    Exchange<Count> exchange;
    const auto list = [ranks](std::span<const Parcel> parcels, std::span<const Tokens> scattered,
                              std::vector<Count>& counts, std::vector<Count>& offsets,
                              std::vector<Tokens>& places) {
        counts.resize(static_cast<std::size_t>(ranks));
        offsets.resize(counts.size());
        Tokens items = 0;
        for (const Parcel& parcel : parcels) {
            Count& count = counts[static_cast<std::size_t>(parcel.rank)];
            count = static_cast<Count>(count + static_cast<Count>(parcel.items));
            items += parcel.items;
        }
        std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), Count{0});
        places.reserve(static_cast<std::size_t>(items));
        for (const Parcel& parcel : parcels)
            for (Tokens place = parcel.first; place < parcel.first + parcel.items; ++place)
                places.push_back(scattered.empty() ? place
                                                   : scattered[static_cast<std::size_t>(place)]);
    };
    list(routes.sends, routes.leaving, exchange.send_counts, exchange.send_offsets,
         exchange.send_order);
    list(routes.receives, routes.arriving, exchange.receive_counts, exchange.receive_offsets,
         exchange.receive_places);
    exchange.kept = routes.kept;
    return exchange;
}

}  // namespace equipoise::placement
