#include "equipoise/placement/rank_moves.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/placement/matching.hpp"
#include "equipoise/placement/targets.hpp"
#include "tests/support/property.hpp"
#include "tests/support/rank_counts.hpp"

namespace equipoise::placement {
namespace {

using Items = std::vector<int>;

// Where every item of every rank goes.
struct Journeys {
    std::vector<std::vector<int>> to;
    std::vector<Transfer> transfers;
    std::vector<RankMoves> of_ranks;

    explicit Journeys(std::vector<std::vector<int>> destinations) : to(std::move(destinations)) {
        std::map<std::pair<int, int>, Tokens> counts;
        for (std::size_t from = 0; from < to.size(); ++from)
            for (const int rank : to[from])
                if (rank != static_cast<int>(from)) ++counts[{static_cast<int>(from), rank}];
        for (const auto& [ends, items] : counts)
            transfers.push_back({ends.first, ends.second, items});
        for (std::size_t rank = 0; rank < to.size(); ++rank) {
            std::vector<Departure> departures;
            for (std::size_t place = to[rank].size(); place-- > 0;)
                if (to[rank][place] != static_cast<int>(rank))
                    departures.push_back({static_cast<Tokens>(place), to[rank][place]});
            of_ranks.push_back(moves_of(departures, transfers, static_cast<int>(rank),
                                        static_cast<Tokens>(to[rank].size())));
        }
    }
};

Journeys any_journeys() {
    const int ranks = *rc::gen::inRange(1, 6);
    return Journeys(*rc::gen::container<std::vector<std::vector<int>>>(
        static_cast<std::size_t>(ranks),
        rc::gen::container<std::vector<int>>(rc::gen::inRange(0, ranks))));
}

std::vector<Items> numbered(const Journeys& journeys) {
    std::vector<Items> items;
    int number = 0;
    for (const auto& to : journeys.to) {
        items.emplace_back(to.size());
        for (int& item : items.back())
            item = number++;
    }
    return items;
}

// The places of a parcel's items.
Tokens place_of(const std::vector<Tokens>& scattered, Tokens place) {
    return scattered.empty() ? place : scattered[static_cast<std::size_t>(place)];
}

// Moves by of_ranks: what code that moves items must achieve.
std::vector<Items> moved(const std::vector<Items>& items, const std::vector<RankMoves>& of_ranks) {
    std::vector<Items> result;
    for (std::size_t rank = 0; rank < items.size(); ++rank) {
        const RankMoves& moves = of_ranks[rank];
        Items fresh(static_cast<std::size_t>(moves.size_after), -1);
        for (const auto& run : kept_runs(moves))
            std::copy_n(items[rank].begin() + run.from, run.items, fresh.begin() + run.to);
        for (const Parcel& arrival : moves.receives) {
            const RankMoves& other = of_ranks[static_cast<std::size_t>(arrival.rank)];
            const auto sent = std::find_if(
                other.sends.begin(), other.sends.end(),
                [&](const Parcel& parcel) { return parcel.rank == static_cast<int>(rank); });
            RC_ASSERT(sent != other.sends.end());
            RC_ASSERT(sent->items == arrival.items);
            for (Tokens i = 0; i < arrival.items; ++i) {
                int& place =
                    fresh[static_cast<std::size_t>(place_of(moves.arriving, arrival.first + i))];
                RC_ASSERT(place == -1);
                place = items[static_cast<std::size_t>(arrival.rank)]
                             [static_cast<std::size_t>(place_of(other.leaving, sent->first + i))];
            }
        }
        RC_ASSERT(std::count(fresh.begin(), fresh.end(), -1) == 0);
        result.push_back(fresh);
    }
    return result;
}

std::vector<RankMoves> inverses(std::vector<RankMoves> of_ranks) {
    for (RankMoves& moves : of_ranks)
        moves = inverse(std::move(moves));
    return of_ranks;
}

TEST(ScatteredLayout, KeepsWhatStaysInOrderAndAppendsWhatArrivesByRank) {
    EXPECT_TRUE(test::holds([] {
        const Journeys journeys = any_journeys();
        const std::vector<Items> before = numbered(journeys);
        const std::vector<Items> after = moved(before, journeys.of_ranks);
        for (std::size_t rank = 0; rank < before.size(); ++rank) {
            Items expected;
            for (std::size_t hop = 0; hop < before.size(); ++hop) {
                // Its own items first, then those of ranks 0, 1, ...
                const std::size_t from = hop == 0 ? rank : hop - 1 < rank ? hop - 1 : hop;
                for (std::size_t i = 0; i < before[from].size(); ++i)
                    if (journeys.to[from][i] == static_cast<int>(rank))
                        expected.push_back(before[from][i]);
            }
            RC_ASSERT(after[rank] == expected);
        }
    }));
}

TEST(ScatteredLayout, IsUndoneByItsInverse) {
    EXPECT_TRUE(test::holds([] {
        const Journeys journeys = any_journeys();
        const std::vector<Items> before = numbered(journeys);
        const std::vector<RankMoves> back = inverses(journeys.of_ranks);
        RC_ASSERT(moved(moved(before, journeys.of_ranks), back) == before);
        RC_ASSERT(inverses(back) == journeys.of_ranks);
    }));
}

TEST(ScatteredLayout, HasNoMoreRunsThanScatteredPlacesAndOne) {
    EXPECT_TRUE(test::holds([] {
        const Journeys journeys = any_journeys();
        for (const RankMoves& moves : journeys.of_ranks) {
            const auto runs = kept_runs(moves);
            RC_ASSERT(runs.size() <= moves.leaving.size() + moves.arriving.size() + 1);
            Tokens kept = 0;
            for (const auto& run : runs)
                kept += run.items;
            RC_ASSERT(kept == moves.kept);
        }
    }));
}

TEST(ScatteredLayout, IsThatOfTheLastItemsIfTheseLeave) {
    EXPECT_TRUE(test::holds([] {
        const test::Counts counts = test::any_counts(*rc::gen::inRange<std::size_t>(1, 8));
        const std::vector<Tokens> targets = level_targets({counts, {}, {}});
        const std::vector<Transfer> transfers = match_surpluses(counts, targets);
        for (std::size_t rank = 0; rank < counts.size(); ++rank) {
            const RankMoves last = moves_at_end(transfers, static_cast<int>(rank), counts[rank]);
            std::vector<Departure> departures;
            for (const Parcel& parcel : last.sends)
                for (Tokens i = 0; i < parcel.items; ++i)
                    departures.push_back({parcel.first + i, parcel.rank});
            RC_ASSERT(moves_of(departures, transfers, static_cast<int>(rank), counts[rank]) ==
                      last);
        }
    }));
}

TEST(OrderedLayout, IsUndoneByItsInverse) {
    EXPECT_TRUE(test::holds([] {
        const test::Counts counts = test::any_counts(*rc::gen::inRange<std::size_t>(1, 8));
        const std::vector<Transfer> transfers =
            match_in_order(counts, level_targets({counts, {}, {}}));
        std::vector<Items> before;
        std::vector<RankMoves> of_ranks;
        int number = 0;
        for (std::size_t rank = 0; rank < counts.size(); ++rank) {
            of_ranks.push_back(moves_in_order(transfers, static_cast<int>(rank), counts[rank]));
            before.emplace_back(static_cast<std::size_t>(counts[rank]));
            std::iota(before.back().begin(), before.back().end(), number);
            number += static_cast<int>(counts[rank]);
        }
        RC_ASSERT(moved(moved(before, of_ranks), inverses(of_ranks)) == before);
    }));
}

}  // namespace
}  // namespace equipoise::placement
