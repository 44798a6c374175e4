#include "equipoise/placement/hierarchical.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/placement/targets.hpp"
#include "tests/support/property.hpp"
#include "tests/support/rank_counts.hpp"

namespace equipoise::placement {
namespace {

using test::after;
using test::any_counts;
using test::Counts;
using test::ranks_apart;

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
}  // namespace equipoise::placement
