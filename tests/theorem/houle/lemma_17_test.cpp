// Lemma 17: the complete k-ary tree of height h has maximum stable discrepancy at most
//     min{ (k-1) h + 1, floor((k+2)(h+1)/2) }.
// The conjecture after it, floor((k-1)h/2) or one more, is false on the low side.

#include <cstdint>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/analysis/stable_discrepancy_kary.hpp"
#include "equipoise/theory/stable_discrepancy.hpp"

namespace equipoise {
namespace {

std::uint64_t complete_msd(std::uint64_t arity, std::uint64_t height) {
    return analysis::maximum_stable_discrepancy(
               analysis::stable_gaps_of_complete_tree(arity, height))
        .tokens;
}

TEST(Lemma17, BoundsCompleteTrees) {
    for (std::uint64_t arity = 1; arity <= 12; ++arity) {
        for (std::uint64_t height = 1;
             analysis::stable_gaps_of_complete_tree(arity, height).nodes < 300'000 && height < 100;
             ++height)
            EXPECT_LE(complete_msd(arity, height),
                      theory::stable_discrepancy_bound_of_complete_tree(arity, height));
    }
}

TEST(TallCompleteTrees, HaveNoGapHarderThanTheirBound) {
    for (std::uint64_t arity = 2; arity <= 12; ++arity) {
        const auto rows = analysis::stable_discrepancies_of_complete_trees(arity, 1, 40, {16, {}});
        for (std::uint64_t height = 2; height <= 40; ++height)
            EXPECT_LE(rows[height - 1].lower,
                      *theory::stable_discrepancy_bound_of_tall_complete_tree(arity, height))
                << "k = " << arity << ", h = " << height;
    }
    EXPECT_FALSE(theory::stable_discrepancy_bound_of_tall_complete_tree(2, 1));
}

TEST(TallCompleteTrees, RefuteTheConjectureForEveryArity) {
    for (std::uint64_t arity = 2; arity <= 40; ++arity)
        for (const std::uint64_t height : {1ULL << 25U, 1ULL << 40U})
            EXPECT_LT(*theory::stable_discrepancy_bound_of_tall_complete_tree(arity, height),
                      theory::conjectured_stable_discrepancy(arity, height).low)
                << "k = " << arity;
}

/// The height from which the bound refutes the conjecture, by two heights in a row.
std::uint64_t refuted_from(std::uint64_t arity) {
    std::uint64_t in_a_row = 0;
    for (std::uint64_t height = 2;; ++height) {
        const bool refuted =
            *theory::stable_discrepancy_bound_of_tall_complete_tree(arity, height) <
            theory::conjectured_stable_discrepancy(arity, height).low;
        in_a_row = refuted ? in_a_row + 1 : 0;
        if (in_a_row == 2) return height - 1;
    }
}

TEST(TallCompleteTrees, RefuteTheConjectureFromTheHeightsOfThePageOn) {
    const std::map<std::uint64_t, std::uint64_t> page = {
        {2, 65798}, {3, 3324}, {4, 7314}, {5, 1315}, {6, 2346}, {7, 410},
        {8, 596},   {9, 278},  {10, 376}, {11, 297}, {12, 380}, {13, 344},
        {14, 426},  {15, 405}, {16, 488}, {24, 852}, {32, 1356}};
    for (const auto& [arity, height] : page)
        EXPECT_EQ(refuted_from(arity), height) << "k = " << arity;
}

/// In two levels the bound grows by no more than the conjecture, so what is refuted at two heights
/// in a row is refuted above them, too.
TEST(TallCompleteTrees, HaveABoundThatGrowsByAtMostKLessOneInTwoLevels) {
    for (std::uint64_t arity = 2; arity <= 40; ++arity)
        for (std::uint64_t height = 2; height <= 2000; ++height)
            ASSERT_LE(
                *theory::stable_discrepancy_bound_of_tall_complete_tree(arity, height + 2),
                *theory::stable_discrepancy_bound_of_tall_complete_tree(arity, height) + arity - 1)
                << "k = " << arity << ", h = " << height;
}

/// Theory and computation meet: the conjecture is settled for all heights of these trees.
TEST(TallCompleteTreesLong, HaveTheConjectureUpToHeightFiveForNineAndElevenChildren) {
    for (const std::uint64_t arity : {9U, 11U}) {
        const std::uint64_t last = refuted_from(arity) - 1;
        const auto rows = analysis::stable_discrepancies_of_complete_trees(arity, 1, last, {8, {}});
        for (std::uint64_t height = 1; height <= last; ++height) {
            const auto conjectured = theory::conjectured_stable_discrepancy(arity, height);
            const analysis::CompleteTreeDiscrepancy& row = rows[height - 1];
            if (height <= 5) {
                EXPECT_TRUE(row.exact());
                EXPECT_TRUE(row.upper == conjectured.low || row.upper == conjectured.high);
            } else {
                EXPECT_LT(row.upper, conjectured.low) << "k = " << arity << ", h = " << height;
            }
        }
    }
}

TEST(TallCompleteTreesLong, OfTwoChildrenAndHeight67RefuteTheConjecture) {
    const auto found = analysis::stable_discrepancy_of_complete_tree(2, 67, {8192, {}});
    EXPECT_TRUE(found.exact());
    EXPECT_EQ(found.upper, 32U);
    EXPECT_LT(found.upper, theory::conjectured_stable_discrepancy(2, 67).low);
}

TEST(Conjecture, GivesTheKnownValuesForBinaryTrees) {
    const std::vector<std::uint64_t> known{1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 8, 9};
    for (std::size_t height = 1; height <= known.size(); ++height)
        EXPECT_EQ(complete_msd(2, height), known[height - 1]) << "height " << height;
}

TEST(Conjecture, GivesTheKnownValuesForTernaryTrees) {
    const std::vector<std::uint64_t> known{2, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11};
    for (std::size_t height = 1; height <= known.size(); ++height)
        EXPECT_EQ(complete_msd(3, height), known[height - 1]) << "height " << height;
}

TEST(Conjecture, HoldsWhereThePaperConfirmedIt) {
    for (std::uint64_t arity = 1; arity <= 6; ++arity) {
        for (std::uint64_t height = 1; height <= 6; ++height) {
            const auto conjectured = theory::conjectured_stable_discrepancy(arity, height);
            const std::uint64_t attained = complete_msd(arity, height);
            EXPECT_TRUE(attained == conjectured.low || attained == conjectured.high)
                << "k = " << arity << ", h = " << height;
        }
    }
}

TEST(Conjecture, FailsForArityFiveAtHeightEightAndAritySevenAtHeightSix) {
    EXPECT_EQ(analysis::stable_gaps_of_complete_tree(7, 6).nodes, 137'257U);
    EXPECT_EQ(complete_msd(7, 6), 17U);
    EXPECT_EQ(theory::conjectured_stable_discrepancy(7, 6).low, 18U);
    EXPECT_EQ(complete_msd(5, 8), 15U);
    EXPECT_EQ(theory::conjectured_stable_discrepancy(5, 8).low, 16U);
}

}  // namespace
}  // namespace equipoise
