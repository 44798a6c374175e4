#include "equipoise/theory/stable_discrepancy.hpp"

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

namespace equipoise::theory {
namespace {

TEST(StableDiscrepancyBound, IsHalfTheNodesForStars) {
    for (std::uint64_t leaves = 2; leaves <= 40; ++leaves)
        EXPECT_EQ(stable_discrepancy_bound(leaves + 1, leaves), (leaves + 1) / 2);
}

TEST(StableDiscrepancyBound, IsOneForEveryPath) {
    for (std::uint64_t nodes = 3; nodes <= 5000; ++nodes)
        EXPECT_EQ(stable_discrepancy_bound(nodes, 2), 1U);
}

TEST(StableDiscrepancyBound, TreatsOneAndTwoNodesApart) {
    EXPECT_EQ(stable_discrepancy_bound(1, 0), 0U);
    EXPECT_EQ(stable_discrepancy_bound(2, 1), 1U);
    // As printed the theorem promises that two nodes end level, which an odd token forbids.
    EXPECT_EQ(stable_discrepancy_bound_as_printed(2, 1), 0U);
}

TEST(StableDiscrepancyBound, IsAtMostThePrintedOneFromThreeNodesOn) {
    for (std::uint64_t nodes = 3; nodes <= 300; ++nodes) {
        for (std::uint64_t degree = 2; degree < nodes; ++degree) {
            EXPECT_LE(stable_discrepancy_bound(nodes, degree),
                      stable_discrepancy_bound_as_printed(nodes, degree));
            EXPECT_LE(stable_discrepancy_bound(nodes, degree), stable_discrepancy_bound(nodes));
        }
    }
}

TEST(StableDiscrepancyBound, EvaluatesTheFormulaOfTheoremSixteen) {
    // n = 1000, D = 3: L = 9, min{500, 1 + 9, 18}.
    EXPECT_EQ(stable_discrepancy_bound(1000, 3), 10U);
    EXPECT_EQ(stable_discrepancy_bound_as_printed(1000, 3), 11U);
    // n = 1024, D = 10: L = 9, min{512, 73, floor(99/2)}.
    EXPECT_EQ(stable_discrepancy_bound(1024, 10), 49U);
    // n = 1025 needs one more iteration.
    EXPECT_EQ(stable_discrepancy_bound(1025, 10), 55U);
    EXPECT_EQ(stable_discrepancy_bound(~std::uint64_t{0}, ~std::uint64_t{0} - 1),
              ~std::uint64_t{0} / 2);
}

TEST(StableDiscrepancyBound, RefusesNumbersThatNoTreeHas) {
    EXPECT_THROW(static_cast<void>(stable_discrepancy_bound(0)), UnsuitableError);
    EXPECT_THROW(static_cast<void>(stable_discrepancy_bound(0, 0)), UnsuitableError);
    EXPECT_THROW(static_cast<void>(stable_discrepancy_bound(1, 1)), UnsuitableError);
    EXPECT_THROW(static_cast<void>(stable_discrepancy_bound(3, 1)), UnsuitableError);
    EXPECT_THROW(static_cast<void>(stable_discrepancy_bound(5, 5)), UnsuitableError);
    EXPECT_THROW(static_cast<void>(stable_discrepancy_bound_as_printed(5, 5)), UnsuitableError);
    EXPECT_THROW(static_cast<void>(stable_discrepancy_bound_of_complete_tree(0, 3)),
                 UnsuitableError);
    EXPECT_THROW(static_cast<void>(conjectured_stable_discrepancy(3, 0)), UnsuitableError);
}

TEST(StableDiscrepancyBoundOfCompleteTree, EvaluatesLemmaSeventeen) {
    EXPECT_EQ(stable_discrepancy_bound_of_complete_tree(1, 100), 1U);
    EXPECT_EQ(stable_discrepancy_bound_of_complete_tree(2, 18), 19U);
    EXPECT_EQ(stable_discrepancy_bound_of_complete_tree(7, 6), 31U);
    EXPECT_EQ(stable_discrepancy_bound_of_complete_tree(8, 6), 35U);
    EXPECT_THROW(static_cast<void>(stable_discrepancy_bound_of_complete_tree(
                     std::uint64_t{1} << 40U, std::uint64_t{1} << 40U)),
                 OverflowError);
}

TEST(ConjecturedStableDiscrepancy, IsHalfOfArityLessOneTimesHeightOrOneMore) {
    EXPECT_EQ(conjectured_stable_discrepancy(7, 6), (ConjecturedStableDiscrepancy{18, 19}));
    EXPECT_EQ(conjectured_stable_discrepancy(2, 18), (ConjecturedStableDiscrepancy{9, 10}));
    EXPECT_EQ(conjectured_stable_discrepancy(1, 5), (ConjecturedStableDiscrepancy{0, 1}));
}

TEST(ConjecturedStableDiscrepancy, NeverExceedsLemmaSeventeen) {
    for (std::uint64_t arity = 1; arity <= 40; ++arity) {
        for (std::uint64_t height = 1; height <= 120; ++height)
            EXPECT_LE(conjectured_stable_discrepancy(arity, height).high,
                      stable_discrepancy_bound_of_complete_tree(arity, height));
    }
}

}  // namespace
}  // namespace equipoise::theory
