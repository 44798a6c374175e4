#include "equipoise/placement/hierarchical.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/base/random.hpp"
#include "tests/support/property.hpp"
#include "tests/support/rank_counts.hpp"

namespace equipoise::placement {
namespace {

using test::after;
using test::any_counts;
using test::Counts;
using test::ranks_apart;

using Colours = std::vector<int>;

// Items that move between machines, between sockets, between ranks.
using Moves = std::array<Tokens, 3>;

// What leaves groups that hold more than they should, added up by itself.
Tokens leaving(const Counts& counts, const Counts& targets, const Colours& group) {
    std::map<int, Tokens> above;
    for (std::size_t rank = 0; rank < counts.size(); ++rank)
        above[group[rank]] += counts[rank] - targets[rank];
    Tokens sum = 0;
    for (const auto& [name, items] : above)
        sum += std::max(Tokens{0}, items);
    return sum;
}

struct Cluster {
    Counts counts;
    Counts pinned;
    std::vector<double> speeds;
    Colours machine;
    Colours socket;  // within its machine

    [[nodiscard]] Demand demand() const { return {counts, pinned, speeds}; }
    [[nodiscard]] Places places() const { return {machine, socket}; }
    // Sockets of the same number on different machines are different sockets.
    [[nodiscard]] Colours sockets() const {
        Colours names;
        for (std::size_t rank = 0; rank < machine.size(); ++rank)
            names.push_back(100 * machine[rank] + socket[rank]);
        return names;
    }
    [[nodiscard]] Colours ranks() const {
        Colours names(machine.size());
        std::iota(names.begin(), names.end(), 0);
        return names;
    }
    [[nodiscard]] Moves moves(const Counts& targets) const {
        return {leaving(counts, targets, machine), leaving(counts, targets, sockets()),
                leaving(counts, targets, ranks())};
    }
    [[nodiscard]] Moves moves(const std::vector<Transfer>& transfers) const {
        return {items_between(transfers, machine), items_between(transfers, sockets()),
                items_between(transfers, ranks())};
    }
};

// The lexicographic minimum over all level sizes: what is pinned, and the floor or the ceiling of
// one number elsewhere.
Moves fewest_at_level_sizes(const Cluster& cluster) {
    const Tokens items = std::accumulate(cluster.counts.begin(), cluster.counts.end(), Tokens{0});
    Counts least(cluster.counts.size());
    const auto fill = [&](Tokens level) {
        for (std::size_t rank = 0; rank < least.size(); ++rank)
            least[rank] =
                std::max(level, cluster.pinned.empty() ? Tokens{0} : cluster.pinned[rank]);
        return std::accumulate(least.begin(), least.end(), Tokens{0});
    };
    Tokens level = 0;
    while (fill(level + 1) <= items)
        ++level;
    const Tokens odd = items - fill(level);
    Moves fewest = {items + 1, 0, 0};
    const std::function<void(std::size_t, Tokens)> deal = [&](std::size_t rank, Tokens left) {
        if (rank == least.size()) {
            if (left == 0) fewest = std::min(fewest, cluster.moves(least));
            return;
        }
        deal(rank + 1, left);
        if (left == 0 || least[rank] != level) return;
        ++least[rank];
        deal(rank + 1, left - 1);
        --least[rank];
    };
    deal(0, odd);
    return fewest;
}

void expect_exact(const Cluster& cluster) {
    const Counts targets = hierarchical_targets(cluster.demand(), cluster.places());
    const std::vector<Transfer> transfers =
        match_hierarchically(cluster.counts, targets, cluster.places());
    ASSERT_EQ(targets, after(cluster.counts, transfers));
    ASSERT_EQ(fewest_at_level_sizes(cluster), cluster.moves(transfers))
        << "counts " << ::testing::PrintToString(cluster.counts) << ", pinned "
        << ::testing::PrintToString(cluster.pinned) << ", machines "
        << ::testing::PrintToString(cluster.machine) << ", sockets "
        << ::testing::PrintToString(cluster.socket);
}

// Calls `each` for all ways to put `ranks` ranks into groups, named in the order of their first
// members.
void for_all_groups(std::size_t ranks, const std::function<void(const Colours&)>& each) {
    Colours names;
    const std::function<void(int)> grow = [&](int next) {
        if (names.size() == ranks) {
            each(names);
            return;
        }
        for (int name = 0; name <= next; ++name) {
            names.push_back(name);
            grow(std::max(next, name + 1));
            names.pop_back();
        }
    };
    grow(0);
}

void for_all_counts(std::size_t ranks, Tokens most,
                    const std::function<void(const Counts&)>& each) {
    Counts counts(ranks, 0);
    while (true) {
        each(counts);
        std::size_t rank = 0;
        while (rank < ranks && counts[rank] == most)
            counts[rank++] = 0;
        if (rank == ranks) return;
        ++counts[rank];
    }
}

TEST(Hierarchical, MovesTheFewestItemsBetweenMachinesThenSocketsThenRanksOnAllSmallInstances) {
    const auto on_all = [](std::size_t ranks, Tokens most) {
        for_all_groups(ranks, [&](const Colours& machine) {
            for_all_groups(ranks, [&](const Colours& socket) {
                for_all_counts(ranks, most, [&](const Counts& counts) {
                    expect_exact({counts, {}, {}, machine, socket});
                });
            });
        });
    };
    on_all(1, 4);
    on_all(2, 5);
    on_all(3, 5);
    on_all(4, 3);
}

TEST(Hierarchical, MovesTheFewestItemsAtEachLevelOfEightRanks) {
    RandomStream random(31, Purpose::loads, 0);
    for (int round = 0; round < 1500; ++round) {
        Cluster cluster;
        const bool pins = round % 3 == 0;
        const auto most = 2 + random.below(9);
        for (std::size_t rank = 0; rank < 8; ++rank) {
            cluster.counts.push_back(static_cast<Tokens>(random.below(most)));
            cluster.machine.push_back(static_cast<int>(random.below(4)));
            cluster.socket.push_back(static_cast<int>(random.below(2)));
            const auto held = static_cast<std::uint64_t>(cluster.counts.back());
            if (pins) cluster.pinned.push_back(static_cast<Tokens>(random.below(held + 1)));
        }
        expect_exact(cluster);
    }
}

TEST(Hierarchical, MovesOneItemWhereTheOddOnesCanStayOnTheirRanks) {
    // Dealing the odd items socket by socket, without a look at the ranks in them, moves two.
    const Cluster cluster = {{3, 2, 1, 0}, {}, {}, {1, 1, 1, 0}, {0, 1, 0, 0}};
    const Counts targets = hierarchical_targets(cluster.demand(), cluster.places());
    EXPECT_EQ((Counts{2, 2, 1, 1}), targets);
    EXPECT_EQ((Moves{1, 1, 1}), cluster.moves(targets));
}

TEST(Hierarchical, ChoosesAmongRanksWhoseSharesTieBySpeed) {
    // Shares of 7 items are 7/6, 7/6, 14/6 and 14/6; the last two ranks tie for the odd item.
    const std::vector<double> speeds = {1, 1, 2, 2};
    const Cluster settled = {{1, 1, 2, 3}, {}, speeds, {0, 1, 2, 3}, {0, 0, 0, 0}};
    EXPECT_EQ(settled.counts, hierarchical_targets(settled.demand(), settled.places()));
    const Cluster paired = {{0, 3, 3, 1}, {}, speeds, {0, 1, 1, 0}, {0, 1, 0, 1}};
    EXPECT_EQ((Counts{1, 1, 3, 2}), hierarchical_targets(paired.demand(), paired.places()));
}

TEST(Hierarchical, LeavesTheOddItemsWithTheFullestRanksIfMachinesAreEqual) {
    for_all_counts(4, 4, [](const Counts& counts) {
        const Colours one = {0, 0, 0, 0};
        ASSERT_EQ(level_targets({counts, {}, {}}),
                  hierarchical_targets({counts, {}, {}}, {one, one}));
    });
}

TEST(MatchHierarchically, SendsNoItemOrMessageWithoutNeed) {
    EXPECT_TRUE(test::holds("moved = surplus, messages <= surpluses + deficits - 1", [] {
        const auto ranks = *rc::gen::inRange<std::size_t>(1, 12);
        const Counts counts = any_counts(ranks);
        const auto machine = *rc::gen::container<Colours>(ranks, rc::gen::inRange(0, 3));
        const auto socket = *rc::gen::container<Colours>(ranks, rc::gen::inRange(0, 2));
        const Places places = {machine, socket};
        const Counts targets = hierarchical_targets({counts, {}, {}}, places);
        const std::vector<Transfer> transfers = match_hierarchically(counts, targets, places);
        RC_ASSERT(after(counts, transfers) == targets);
        RC_ASSERT(items_moved(transfers) == surplus(counts, targets));
        RC_ASSERT(items_between(transfers, machine) == surplus_of_groups(counts, targets, machine));
        const std::size_t apart = ranks_apart(counts, targets);
        RC_ASSERT(transfers.size() <= (apart == 0 ? 0 : apart - 1));
    }));
}

TEST(MatchHierarchically, GivesTheOddItemToTheMachineThatIsAboveItsShare) {
    // Flat targets would leave the odd item with rank 0, whose machine is below its share.
    const Counts counts = {5, 0, 4, 4};
    const std::vector<int> machine = {0, 0, 1, 1};
    const Places places = {machine, machine};
    const Counts targets = hierarchical_targets({counts, {}, {}}, places);
    EXPECT_EQ((Counts{3, 3, 4, 3}), targets);
    EXPECT_EQ(1, items_between(match_hierarchically(counts, targets, places), machine));
}

}  // namespace
}  // namespace equipoise::placement
