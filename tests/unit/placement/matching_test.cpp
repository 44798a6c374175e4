#include "equipoise/placement/matching.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/load/targets.hpp"
#include "equipoise/placement/rank_moves.hpp"
#include "equipoise/placement/targets.hpp"
#include "tests/support/property.hpp"
#include "tests/support/rank_counts.hpp"

namespace equipoise::placement {
namespace {

using test::after;
using test::any_counts;
using test::Counts;
using test::ranks_apart;

// Lists of items by rank, moved as plans of ranks say: this is what moving must achieve.
std::vector<std::vector<int>> moved(const std::vector<std::vector<int>>& items,
                                    const std::vector<Transfer>& transfers, bool in_order) {
    std::vector<RankMoves> of_ranks;
    for (std::size_t rank = 0; rank < items.size(); ++rank) {
        const auto size = static_cast<Tokens>(items[rank].size());
        const int number = static_cast<int>(rank);
        of_ranks.push_back(in_order ? moves_in_order(transfers, number, size)
                                    : moves_at_end(transfers, number, size));
    }
    std::vector<std::vector<int>> result;
    for (std::size_t rank = 0; rank < items.size(); ++rank) {
        const RankMoves& moves = of_ranks[rank];
        std::vector<int> fresh(static_cast<std::size_t>(moves.size_after), -1);
        std::copy_n(items[rank].begin() + moves.kept_from, moves.kept,
                    fresh.begin() + moves.kept_to);
        for (const Parcel& arrival : moves.receives) {
            const RankMoves& other = of_ranks[static_cast<std::size_t>(arrival.rank)];
            const auto sent = std::find_if(
                other.sends.begin(), other.sends.end(),
                [&](const Parcel& parcel) { return parcel.rank == static_cast<int>(rank); });
            EXPECT_NE(other.sends.end(), sent);
            EXPECT_EQ(arrival.items, sent->items);
            std::copy_n(items[static_cast<std::size_t>(arrival.rank)].begin() + sent->first,
                        arrival.items, fresh.begin() + arrival.first);
        }
        result.push_back(fresh);
    }
    return result;
}

std::vector<std::vector<int>> numbered(const Counts& counts) {
    std::vector<std::vector<int>> items;
    int number = 0;
    for (const Tokens count : counts) {
        items.emplace_back(static_cast<std::size_t>(count));
        for (int& item : items.back())
            item = number++;
    }
    return items;
}

std::vector<int> joined(const std::vector<std::vector<int>>& items) {
    std::vector<int> all;
    for (const auto& of_rank : items)
        all.insert(all.end(), of_rank.begin(), of_rank.end());
    return all;
}

TEST(MatchSurpluses, OverlapsIntervalsOfSurplusesAndDeficits) {
    EXPECT_EQ((std::vector<Transfer>{{0, 1, 2}, {0, 3, 3}, {2, 3, 1}}),
              match_surpluses(Counts{9, 2, 5, 0}, Counts{4, 4, 4, 4}));
    EXPECT_TRUE(match_surpluses(Counts{4, 4}, Counts{4, 4}).empty());
    EXPECT_TRUE(match_surpluses(Counts{7}, Counts{7}).empty());
}

TEST(MatchSurpluses, ReachesTheTargetsWithoutANeedlessItemOrMessage) {
    EXPECT_TRUE(test::holds("moved = surplus, messages <= surpluses + deficits - 1", [] {
        const Counts counts = any_counts(*rc::gen::inRange<std::size_t>(1, 12));
        const Counts targets = level_targets({counts, {}, {}});
        const std::vector<Transfer> transfers = match_surpluses(counts, targets);
        RC_ASSERT(after(counts, transfers) == targets);
        RC_ASSERT(items_moved(transfers) == surplus(counts, targets));
        const std::size_t apart = ranks_apart(counts, targets);
        RC_ASSERT(transfers.size() <= (apart == 0 ? 0 : apart - 1));
        for (const Transfer& transfer : transfers)
            RC_ASSERT(transfer.items > 0 && transfer.from != transfer.to);
    }));
}

TEST(MovesAtEnd, SendsTheLastItemsAndAppendsArrivals) {
    const std::vector<Transfer> transfers = {{0, 1, 2}, {0, 2, 1}};
    EXPECT_EQ((std::vector<std::vector<int>>{{0, 1}, {5, 2, 3}, {4}}),
              moved({{0, 1, 2, 3, 4}, {5}, {}}, transfers, false));
}

TEST(MovesInOrder, KeepsAllItemsInTheirOrder) {
    EXPECT_TRUE(test::holds("order is kept and sizes are the targets", [] {
        const Counts counts = any_counts(*rc::gen::inRange<std::size_t>(1, 10));
        const Counts targets =
            load::even_targets(total(counts), static_cast<NodeId>(counts.size()));
        const std::vector<Transfer> transfers = match_in_order(counts, targets);
        const auto items = moved(numbered(counts), transfers, true);
        for (std::size_t rank = 0; rank < counts.size(); ++rank)
            RC_ASSERT(static_cast<Tokens>(items[rank].size()) == targets[rank]);
        RC_ASSERT(joined(items) == joined(numbered(counts)));
    }));
}

TEST(MovesAtEnd, LosesAndDuplicatesNothing) {
    EXPECT_TRUE(test::holds("all items are there once", [] {
        const Counts counts = any_counts(*rc::gen::inRange<std::size_t>(1, 10));
        const std::vector<Transfer> transfers =
            match_surpluses(counts, level_targets({counts, {}, {}}));
        std::vector<int> items = joined(moved(numbered(counts), transfers, false));
        std::sort(items.begin(), items.end());
        RC_ASSERT(items == joined(numbered(counts)));
    }));
}

}  // namespace
}  // namespace equipoise::placement
