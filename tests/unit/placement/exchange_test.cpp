#include "equipoise/placement/exchange.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/base/error.hpp"
#include "equipoise/placement/gossip.hpp"
#include "equipoise/placement/matching.hpp"
#include "equipoise/placement/targets.hpp"
#include "tests/support/property.hpp"
#include "tests/support/rank_counts.hpp"

namespace equipoise::placement::exchange_test {
namespace {

using Items = std::vector<int>;
using Runs = std::vector<Run>;
using Rounds = std::vector<std::vector<Transfer>>;

std::vector<Items> numbered(std::span<const Tokens> counts) {
    std::vector<Items> items;
    int number = 0;
    for (const Tokens count : counts) {
        items.emplace_back(static_cast<std::size_t>(count));
        for (int& item : items.back())
            item = number++;
    }
    return items;
}

// What a round of `moves_at_end` means: the last items leave, arrivals are appended.
void play(std::vector<Items>& items, const std::vector<Transfer>& round) {
    std::vector<std::size_t> next(items.size());
    for (std::size_t rank = 0; rank < items.size(); ++rank) {
        const RankMoves moves =
            moves_at_end(round, static_cast<int>(rank), std::ssize(items[rank]));
        next[rank] = static_cast<std::size_t>(moves.kept);
    }
    const std::vector<Items> before = items;
    for (std::size_t rank = 0; rank < items.size(); ++rank)
        items[rank].resize(next[rank]);
    for (const Transfer& transfer : round)
        for (Tokens i = 0; i < transfer.items; ++i) {
            const auto from = static_cast<std::size_t>(transfer.from);
            items[static_cast<std::size_t>(transfer.to)].push_back(before[from][next[from]++]);
        }
}

// The rounds one after the other, as a plan stores them.
struct Course {
    std::vector<Transfer> transfers;
    std::vector<std::size_t> round_ends;

    explicit Course(const Rounds& rounds) {
        for (const std::vector<Transfer>& round : rounds) {
            transfers.insert(transfers.end(), round.begin(), round.end());
            round_ends.push_back(transfers.size());
        }
    }
    [[nodiscard]] Routes of(std::size_t rank, std::span<const Tokens> counts) const {
        return routes_of(transfers, round_ends, static_cast<int>(rank),
                         static_cast<int>(counts.size()), counts[rank]);
    }
};

// An Alltoallv of all ranks, from lists alone.
std::vector<Items> exchanged(const std::vector<Items>& items, const std::vector<Routes>& routes) {
    const int ranks = static_cast<int>(items.size());
    std::vector<Exchange<int>> of_ranks;
    for (const Routes& some : routes)
        of_ranks.push_back(exchange_of<int>(some, ranks));
    std::vector<Items> after;
    for (std::size_t rank = 0; rank < items.size(); ++rank) {
        const Exchange<int>& mine = of_ranks[rank];
        RC_ASSERT(mine.send_counts[rank] == 0 && mine.receive_counts[rank] == 0);
        Items arrived;
        for (std::size_t from = 0; from < items.size(); ++from) {
            const Exchange<int>& other = of_ranks[from];
            RC_ASSERT(mine.receive_counts[from] == other.send_counts[rank]);
            RC_ASSERT(mine.receive_offsets[from] == static_cast<int>(arrived.size()));
            for (int i = 0; i < other.send_counts[rank]; ++i) {
                const auto place =
                    other.send_order[static_cast<std::size_t>(other.send_offsets[rank] + i)];
                arrived.push_back(items[from][static_cast<std::size_t>(place)]);
            }
        }
        RC_ASSERT(arrived.size() == mine.receive_places.size());
        Tokens kept = 0;
        for (const Run& run : mine.kept)
            kept += run.items;
        Items fresh(static_cast<std::size_t>(kept) + arrived.size(), -1);
        for (const Run& run : mine.kept)
            std::copy_n(items[rank].begin() + run.from, run.items, fresh.begin() + run.to);
        for (std::size_t i = 0; i < arrived.size(); ++i) {
            int& place = fresh[static_cast<std::size_t>(mine.receive_places[i])];
            RC_ASSERT(place == -1);
            place = arrived[i];
        }
        RC_ASSERT(std::count(fresh.begin(), fresh.end(), -1) == 0);
        after.push_back(fresh);
    }
    return after;
}

// Every item is where the destinations of its first owner say.
void expect_destinations(const std::vector<Items>& before, const std::vector<Items>& after,
                         const std::vector<Routes>& routes) {
    std::vector<int> holder;
    for (std::size_t rank = 0; rank < after.size(); ++rank)
        for (const int item : after[rank]) {
            holder.resize(std::max(holder.size(), static_cast<std::size_t>(item) + 1));
            holder[static_cast<std::size_t>(item)] = static_cast<int>(rank);
        }
    for (std::size_t rank = 0; rank < before.size(); ++rank) {
        const std::vector<int> destinations = destinations_of(routes[rank], static_cast<int>(rank));
        RC_ASSERT(destinations.size() == before[rank].size());
        for (std::size_t i = 0; i < before[rank].size(); ++i)
            RC_ASSERT(destinations[i] == holder[static_cast<std::size_t>(before[rank][i])]);
    }
}

// The most items that a rank sends, or receives, over all.
Tokens most_of(const std::vector<Routes>& routes) {
    Tokens most = 0;
    for (const Routes& some : routes) {
        most = std::max(most, std::accumulate(some.sends.begin(), some.sends.end(), Tokens{0},
                                              [](Tokens sum, const Parcel& parcel) {
                                                  return sum + parcel.items;
                                              }));
        most = std::max(most, std::accumulate(some.receives.begin(), some.receives.end(), Tokens{0},
                                              [](Tokens sum, const Parcel& parcel) {
                                                  return sum + parcel.items;
                                              }));
    }
    return most;
}

void expect_as_played(const test::Counts& counts, const Rounds& rounds) {
    const std::vector<Items> before = numbered(counts);
    std::vector<Items> after = before;
    for (const std::vector<Transfer>& round : rounds)
        play(after, round);
    const Course course(rounds);
    std::vector<Routes> routes;
    for (std::size_t rank = 0; rank < counts.size(); ++rank)
        routes.push_back(course.of(rank, counts));
    RC_ASSERT(exchanged(before, routes) == after);
    expect_destinations(before, after, routes);
    for (const Routes& some : routes)
        RC_ASSERT(some.most == most_of(routes));
}

// Rounds in which anybody sends to anybody what it has.
Rounds any_rounds(const test::Counts& counts) {
    std::vector<Tokens> held(counts.begin(), counts.end());
    const int ranks = static_cast<int>(held.size());
    Rounds rounds(*rc::gen::inRange<std::size_t>(0, 6));
    if (ranks == 1) return Rounds(rounds.size());
    for (std::vector<Transfer>& round : rounds) {
        std::vector<Tokens> arriving(held.size());
        const int transfers = *rc::gen::inRange(0, 2 * ranks);
        for (int i = 0; i < transfers; ++i) {
            const int from = *rc::gen::inRange(0, ranks);
            const int to = (from + *rc::gen::inRange(1, ranks)) % ranks;
            Tokens& left = held[static_cast<std::size_t>(from)];
            if (left == 0) continue;
            const Tokens items = *rc::gen::inRange<Tokens>(1, left + 1);
            round.push_back({from, to, items});
            left -= items;
            arriving[static_cast<std::size_t>(to)] += items;
        }
        for (std::size_t rank = 0; rank < held.size(); ++rank)
            held[rank] += arriving[rank];
    }
    return rounds;
}

test::Counts few_items() {
    test::Counts counts(*rc::gen::inRange<std::size_t>(1, 6));
    for (Tokens& count : counts)
        count = *rc::gen::inRange<Tokens>(0, 30);
    return counts;
}

TEST(RoutesOfSeveralRounds, LeadWhereTheRoundsLead) {
    EXPECT_TRUE(test::holds([] {
        const test::Counts counts = few_items();
        expect_as_played(counts, any_rounds(counts));
    }));
}

TEST(RoutesOfSeveralRounds, FollowGossip) {
    EXPECT_TRUE(test::holds([] {
        const test::Counts counts = few_items();
        expect_as_played(counts, random_pair_rounds(counts));
    }));
}

// Rank 0 gives 3 and 4 away one after the other, and they come back in another order.
TEST(RoutesOfSeveralRounds, CountItemsThatComeBackAmongThoseThatStay) {
    const test::Counts counts = {5, 0};
    const Course course({{{0, 1, 2}}, {{1, 0, 1}}, {{1, 0, 1}}});
    const Routes routes = course.of(0, counts);
    EXPECT_EQ((Runs{{0, 0, 3}, {3, 4, 1}, {4, 3, 1}}), routes.kept);
    EXPECT_TRUE(routes.sends.empty());
    EXPECT_EQ(0, routes.most);
    EXPECT_EQ(std::vector<int>(5, 0), destinations_of(routes, 0));
    EXPECT_TRUE(course.of(1, counts).kept.empty());
}

TEST(RoutesOfOneRound, LeadWhereItsMovesLead) {
    EXPECT_TRUE(test::holds([] {
        const test::Counts counts = few_items();
        const std::vector<Tokens> targets = level_targets({counts, {}, {}});
        const std::vector<Items> before = numbered(counts);
        for (const bool in_order : {false, true}) {
            const std::vector<Transfer> transfers =
                in_order ? match_in_order(counts, targets) : match_surpluses(counts, targets);
            std::vector<RankMoves> moves;
            std::vector<Routes> routes;
            for (std::size_t rank = 0; rank < counts.size(); ++rank)
                moves.push_back((in_order ? moves_in_order : moves_at_end)(
                    transfers, static_cast<int>(rank), counts[rank]));
            for (const RankMoves& some : moves)
                routes.push_back(routes_of(some, transfers, static_cast<int>(counts.size())));
            const std::vector<Items> after = exchanged(before, routes);
            expect_destinations(before, after, routes);
            for (const Routes& some : routes)
                RC_ASSERT(some.most == most_of(routes));
            if (in_order) {
                Items all;
                for (const Items& items : after)
                    all.insert(all.end(), items.begin(), items.end());
                RC_ASSERT(std::is_sorted(all.begin(), all.end()));
            } else {
                std::vector<Items> played = before;
                play(played, transfers);
                RC_ASSERT(after == played);
            }
        }
    }));
}

TEST(RoutesOfOneRound, LeadToScatteredPlacesAndFromThem) {
    const std::vector<Transfer> transfers = {{0, 1, 2}, {0, 2, 1}, {2, 0, 1}};
    const std::vector<Departure> departures = {{4, 1}, {1, 2}, {0, 1}};
    const RankMoves moves = moves_of(departures, transfers, 0, 6);
    const Exchange<int> there = exchange_of<int>(routes_of(moves, transfers, 3), 3);
    EXPECT_EQ((std::vector<int>{0, 2, 1}), there.send_counts);
    EXPECT_EQ((std::vector<int>{0, 0, 2}), there.send_offsets);
    EXPECT_EQ((std::vector<Tokens>{0, 4, 1}), there.send_order);
    EXPECT_EQ((std::vector<int>{0, 0, 1}), there.receive_counts);
    EXPECT_EQ((std::vector<Tokens>{3}), there.receive_places);
    EXPECT_EQ((Runs{{2, 0, 2}, {5, 2, 1}}), there.kept);
    EXPECT_EQ((std::vector<int>{1, 2, 0, 0, 1, 0}),
              destinations_of(routes_of(moves, transfers, 3), 0));

    const RankMoves undone = inverse(moves);
    const Exchange<int> back = exchange_of<int>(routes_of(undone, {}, 3), 3);
    EXPECT_EQ((std::vector<Tokens>{3}), back.send_order);
    EXPECT_EQ((std::vector<Tokens>{0, 4, 1}), back.receive_places);
}

TEST(AnExchange, RefusesCountsThatItsTypeCannotCountOnAllRanks) {
    constexpr Tokens many = Tokens{1} << 31;
    const std::vector<Transfer> transfers = {{0, 1, many}};
    for (int rank = 0; rank < 3; ++rank) {
        const RankMoves moves = moves_at_end(transfers, rank, rank == 0 ? many : 0);
        const Routes routes = routes_of(moves, transfers, 3);
        const std::vector<std::size_t> round_ends = {1};
        const Routes followed = routes_of(transfers, round_ends, rank, 3, rank == 0 ? many : 0);
        EXPECT_EQ(many, routes.most);
        EXPECT_EQ(many, followed.most);
        try {
            static_cast<void>(exchange_of<int>(routes, 3));
            ADD_FAILURE() << "counts were cut";
        } catch (const InputError& error) {
            EXPECT_EQ(std::string("expected at most 2147483647 items that a rank sends or "
                                  "receives, for counts of this type, found 2147483648"),
                      error.what());
        }
    }
    expect_counts_up_to(std::numeric_limits<int>::max(), many - 1);
}

TEST(AnExchange, HasTheSameCountsInEveryType) {
    const std::vector<Transfer> transfers = {{0, 1, 100}, {0, 2, 27}};
    const RankMoves moves = moves_at_end(transfers, 0, 200);
    const Routes routes = routes_of(moves, transfers, 3);
    EXPECT_EQ((std::vector<std::int64_t>{0, 100, 27}),
              exchange_of<std::int64_t>(routes, 3).send_counts);
    EXPECT_EQ((std::vector<std::int8_t>{0, 0, 100}),
              exchange_of<std::int8_t>(routes, 3).send_offsets);
    const std::vector<Transfer> more = {{0, 1, 100}, {0, 2, 28}};
    EXPECT_THROW(static_cast<void>(
                     exchange_of<std::int8_t>(routes_of(moves_at_end(more, 0, 200), more, 3), 3)),
                 InputError);
}

}  // namespace
}  // namespace equipoise::placement::exchange_test
