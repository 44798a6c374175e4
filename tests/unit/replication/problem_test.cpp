// How placements of copies stand.

#include "equipoise/replication/problem.hpp"

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::replication {
namespace {

TEST(Replication, CopiesOfAnItemShareItsLoadRoundedUp) {
    Problem problem{{7, 4, 2}, 2, 2, 1, 0, {0, 1, 2, 0}};
    const Standing standing = stand(problem, {0, 1, 0, 2});
    EXPECT_EQ(standing.held, (std::vector<Tokens>{8, 6}));
    EXPECT_EQ(standing.largest, 8);
    EXPECT_EQ(standing.copied, 0U);
    EXPECT_TRUE(standing.allowed);
    const Standing twice = stand(problem, {0, 0, 1, 1});
    EXPECT_EQ(twice.twice, 2U);
    EXPECT_EQ(twice.missing, 1U);
    EXPECT_EQ(twice.copied, 1U) << "item 1 on machine 1";
    EXPECT_FALSE(twice.allowed);
}

TEST(Replication, AGroupIsOnOneHostAndEachHostHasAsMany) {
    Problem problem{{1, 1, 1, 1}, 4, 1, 2, 2, {}};
    EXPECT_TRUE(stand(problem, {2, 3, 0, 1}).allowed);
    const Standing mixed = stand(problem, {0, 2, 1, 3});
    EXPECT_EQ(mixed.astray, 2U);
    EXPECT_FALSE(mixed.allowed);
}

TEST(Replication, NumbersThatDoNotFitEachOtherAreRefused) {
    EXPECT_EQ(test::thrown_by([] {
                  Problem{{1, 1, 1}, 1, 2, 1, 0, {}}.check();
              }),
              "input: expected a slot for each of 3 experts, found 2");
    EXPECT_EQ(test::thrown_by([] {
                  Problem{{1, 1}, 2, 1, 1, 0, {0, 2}}.check();
              }),
              "input: expected experts from 0 to 1, found 2");
    EXPECT_EQ(test::thrown_by([] { Problem{{1, 1}, 2, 1, 2, 0, {0, 1}}.check(); }), "nothing");
}

}  // namespace
}  // namespace equipoise::replication
