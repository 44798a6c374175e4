#include "equipoise/balancer/planning/matching.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/balancer/planning/layout.hpp"
#include "equipoise/balancer/planning/targets.hpp"
#include "equipoise/load/targets.hpp"
#include "tests/support/property.hpp"

namespace equipoise::balancer {
namespace {

using Counts = std::vector<Tokens>;

Counts after(const Counts& counts, const std::vector<Transfer>& transfers) {
    Counts sizes = counts;
    for (const Transfer& transfer : transfers) {
        sizes[static_cast<std::size_t>(transfer.from)] -= transfer.items;
        sizes[static_cast<std::size_t>(transfer.to)] += transfer.items;
    }
    return sizes;
}

std::size_t ranks_apart(const Counts& counts, const Counts& targets) {
    std::size_t ranks = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank)
        ranks += counts[rank] != targets[rank] ? 1 : 0;
    return ranks;
}

// Lists of items by rank, moved as layouts say: this is what moving must achieve.
std::vector<std::vector<int>> moved(const std::vector<std::vector<int>>& items,
                                    const std::vector<Transfer>& transfers, bool in_order) {
    std::vector<Layout> layouts;
    for (std::size_t rank = 0; rank < items.size(); ++rank) {
        const auto size = static_cast<Tokens>(items[rank].size());
        const int number = static_cast<int>(rank);
        layouts.push_back(in_order ? layout_in_order(transfers, number, size)
                                   : layout_at_end(transfers, number, size));
    }
    std::vector<std::vector<int>> result;
    for (std::size_t rank = 0; rank < items.size(); ++rank) {
        const Layout& layout = layouts[rank];
        std::vector<int> fresh(static_cast<std::size_t>(layout.size_after), -1);
        std::copy_n(items[rank].begin() + layout.kept_from, layout.kept,
                    fresh.begin() + layout.kept_to);
        for (const Parcel& arrival : layout.receives) {
            const Layout& other = layouts[static_cast<std::size_t>(arrival.rank)];
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

Counts any_counts(std::size_t ranks) {
    return *rc::gen::container<Counts>(
        ranks, rc::gen::oneOf(rc::gen::just(Tokens{0}), rc::gen::inRange<Tokens>(0, 30)));
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

TEST(LayoutAtEnd, SendsTheLastItemsAndAppendsArrivals) {
    const std::vector<Transfer> transfers = {{0, 1, 2}, {0, 2, 1}};
    EXPECT_EQ((std::vector<std::vector<int>>{{0, 1}, {5, 2, 3}, {4}}),
              moved({{0, 1, 2, 3, 4}, {5}, {}}, transfers, false));
}

TEST(LayoutInOrder, KeepsAllItemsInTheirOrder) {
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

TEST(LayoutAtEnd, LosesAndDuplicatesNothing) {
    EXPECT_TRUE(test::holds("all items are there once", [] {
        const Counts counts = any_counts(*rc::gen::inRange<std::size_t>(1, 10));
        const std::vector<Transfer> transfers =
            match_surpluses(counts, level_targets({counts, {}, {}}));
        std::vector<int> items = joined(moved(numbered(counts), transfers, false));
        std::sort(items.begin(), items.end());
        RC_ASSERT(items == joined(numbered(counts)));
    }));
}

// The fewest items between groups over all choices of floors and ceilings, by trying all.
Tokens fewest_between(const Counts& counts, const std::vector<int>& group) {
    const auto ranks = static_cast<Tokens>(counts.size());
    const Tokens items = total(counts);
    Counts targets(counts.size(), items / ranks);
    std::fill_n(targets.rbegin(), items % ranks, items / ranks + 1);
    Tokens fewest = std::numeric_limits<Tokens>::max();
    do {
        fewest = std::min(fewest, surplus_of_groups(counts, targets, group));
    } while (std::next_permutation(targets.begin(), targets.end()));
    return fewest;
}

TEST(MatchHierarchically, MovesTheFewestPossibleItemsBetweenMachines) {
    EXPECT_TRUE(test::holds("exactly minimal between machines", [] {
        const auto ranks = *rc::gen::inRange<std::size_t>(1, 8);
        const Counts counts = any_counts(ranks);
        const auto machine = *rc::gen::container<std::vector<int>>(ranks, rc::gen::inRange(0, 3));
        const auto socket = *rc::gen::container<std::vector<int>>(ranks, rc::gen::inRange(0, 2));
        const Places places = {machine, socket};
        const Counts targets = hierarchical_targets(counts, places);
        const std::vector<Transfer> transfers = match_hierarchically(counts, targets, places);
        RC_ASSERT(after(counts, transfers) == targets);
        RC_ASSERT(*std::max_element(targets.begin(), targets.end()) -
                      *std::min_element(targets.begin(), targets.end()) <=
                  1);
        RC_ASSERT(items_between(transfers, machine) == fewest_between(counts, machine));
        RC_ASSERT(items_moved(transfers) == surplus(counts, targets));
        const std::size_t apart = ranks_apart(counts, targets);
        RC_ASSERT(transfers.size() <= (apart == 0 ? 0 : apart - 1));
    }));
}

TEST(MatchHierarchically, MovesTheFewestItemsBetweenSocketsOfOneMachine) {
    EXPECT_TRUE(test::holds("exactly minimal between sockets", [] {
        const auto ranks = *rc::gen::inRange<std::size_t>(1, 8);
        const Counts counts = any_counts(ranks);
        const std::vector<int> machine(ranks, 0);
        const auto socket = *rc::gen::container<std::vector<int>>(ranks, rc::gen::inRange(0, 3));
        const Places places = {machine, socket};
        const Counts targets = hierarchical_targets(counts, places);
        const std::vector<Transfer> transfers = match_hierarchically(counts, targets, places);
        RC_ASSERT(items_between(transfers, socket) == fewest_between(counts, socket));
    }));
}

TEST(MatchHierarchically, GivesTheOddItemToTheMachineThatIsAboveItsShare) {
    // Flat targets would leave the odd item with rank 0, whose machine is below its share.
    const Counts counts = {5, 0, 4, 4};
    const std::vector<int> machine = {0, 0, 1, 1};
    const Places places = {machine, machine};
    const Counts targets = hierarchical_targets(counts, places);
    EXPECT_EQ((Counts{3, 3, 4, 3}), targets);
    EXPECT_EQ(1, items_between(match_hierarchically(counts, targets, places), machine));
}

}  // namespace
}  // namespace equipoise::balancer
