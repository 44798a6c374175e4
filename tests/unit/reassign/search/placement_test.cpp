#include "equipoise/reassign/search/placement.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/reassign/checks/ends.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/search/pair_counts.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/reassign_draw.hpp"

namespace equipoise::reassign {
namespace {

/// Compares what is kept up to date with plain sums.
void expect_plain_sums(const Placement& placement, const Standing& before) {
    const Problem& problem = placement.tables().problem;
    const Standing standing = stand(problem, placement.places());
    ASSERT_EQ(placement.score().score, standing.score);
    ASSERT_EQ(placement.score().excluded == 0,
              may_end(problem, placement.places(), standing, before) &&
                  within(problem.budget, standing.moved));
    ASSERT_EQ(static_cast<Tokens>(placement.moved_items().size()), standing.moved[items_resource]);
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
        for (std::size_t resource = 0; resource < problem.resource_count(); ++resource)
            ASSERT_EQ(placement.used(machine, resource),
                      standing.used[machine * problem.resource_count() + resource]);
}

TEST(SearchPlacement, KeepsTheScoreThatPlainSumsGiveAfterAnyMoves) {
    test::ReassignDraw drawn(11);
    test::Draw<std::uint32_t> draw(12);
    int excluded = 0;
    for (int round = 0; round < 1500; ++round) {
        SCOPED_TRACE(round);
        const Problem problem =
            drawn.draw({.items = 12, .machines = 5, .objectives = true, .budgets = true});
        const Standing before = stand(problem, problem.places);
        const SearchTables tables(problem);
        Placement placement(tables);
        for (int step = 0; step < 30; ++step) {
            const ItemId item = draw(0, problem.item_count() - 1);
            const MachineId to = draw(0, problem.machine_count() - 1);
            if (to == placement.place(item) || !tables.may_be_on(item, to)) continue;
            FullScore expected = placement.score();
            expected += placement.change(item, to);
            placement.move(item, to);
            ASSERT_EQ(placement.score(), expected);
            ASSERT_NO_FATAL_FAILURE(expect_plain_sums(placement, before));
            if (expected.excluded > 0) ++excluded;
        }
    }
    EXPECT_GT(excluded, 1000);
}

TEST(SearchPlacement, CountsPairsAlikeInSmallAndInHashedTables) {
    PairCounts hashed(1'000'000, 1'000'000, 50);
    PairCounts small(40, 40, 500);
    test::Draw<std::size_t> draw(5);
    std::vector<std::pair<std::size_t, std::size_t>> there;
    for (int step = 0; step < 20'000; ++step) {
        if (there.empty() || (there.size() < 50 && draw(0, 1) == 0)) {
            const auto [row, column] = there.emplace_back(draw(0, 39), draw(0, 39));
            ASSERT_EQ(hashed.add(row, column), small.add(row, column));
            continue;
        }
        const std::size_t place = draw(0, there.size() - 1);
        const auto [row, column] = there[place];
        ASSERT_EQ(hashed.subtract(row, column), small.subtract(row, column));
        ASSERT_EQ(hashed.at(row, column), small.at(row, column));
        there[place] = there.back();
        there.pop_back();
    }
}

}  // namespace
}  // namespace equipoise::reassign
