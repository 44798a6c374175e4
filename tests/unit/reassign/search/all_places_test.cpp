#include <optional>

#include <gtest/gtest.h>

#include "equipoise/reassign/checks/ends.hpp"
#include "equipoise/reassign/search/search.hpp"
#include "tests/support/reassign_brute_force.hpp"
#include "tests/support/reassign_draw.hpp"

namespace equipoise::reassign {
namespace {

TEST(AllPlaces, HaveTheLeastScoreThatEnumerationFinds) {
    test::ReassignDraw drawn(21);
    for (int round = 0; round < 300; ++round) {
        SCOPED_TRACE(round);
        const Problem problem =
            drawn.draw({.items = 6, .machines = 4, .objectives = true, .budgets = true});
        const std::optional<SearchedPlacement> found = search_all_places(problem, 10'000'000);
        ASSERT_TRUE(found.has_value());
        EXPECT_TRUE(found->proved);
        const Standing standing = stand(problem, found->places);
        EXPECT_EQ(standing.score, found->score);
        EXPECT_TRUE(may_end(problem, found->places, standing, stand(problem, problem.places)));
        EXPECT_TRUE(within(problem.budget, standing.moved));
        ASSERT_EQ(found->score, test::AllPlacements(problem).best());
    }
}

TEST(AllPlaces, AreGivenUpWhenTheEffortIsUsedUp) {
    test::ReassignDraw drawn(23);
    int given_up = 0;
    for (int round = 0; round < 50; ++round)
        if (!search_all_places(drawn.draw({.items = 14, .machines = 6}), 40)) ++given_up;
    EXPECT_GT(given_up, 10);
}

}  // namespace
}  // namespace equipoise::reassign
