#include "equipoise/analysis/stable_discrepancy_kary.hpp"

#include <cstdint>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/theory/stable_discrepancy.hpp"

namespace equipoise::analysis {
namespace {

/// The gap itself, modulo the number of nodes.
std::uint64_t value_of(std::uint64_t arity, std::uint64_t height, const CompleteTreeGap& gap) {
    std::vector<std::int64_t> sizes{1};
    while (sizes.size() <= height)
        sizes.push_back(static_cast<std::int64_t>(arity) * sizes.back() + 1);
    std::int64_t value = gap.rest;
    for (std::size_t i = 0; i < gap.digits.size(); ++i)
        value += gap.digits[i] * sizes[height - 1 - i];
    value %= sizes[height];
    return static_cast<std::uint64_t>(value < 0 ? value + sizes[height] : value);
}

TEST(StableDiscrepancyOfCompleteTree, EqualsTheBitsetSearch) {
    for (std::uint64_t arity = 1; arity <= 12; ++arity) {
        for (std::uint64_t height = 1; height <= 16; ++height) {
            const auto gaps = stable_gaps_of_complete_tree(arity, height);
            if (gaps.nodes > 5'000'000) break;
            const auto found = stable_discrepancy_of_complete_tree(arity, height);
            const std::uint64_t known = maximum_stable_discrepancy(gaps).tokens;
            EXPECT_EQ(found.lower, known) << "k = " << arity << ", h = " << height;
            EXPECT_EQ(found.upper, known) << "k = " << arity << ", h = " << height;
        }
    }
}

TEST(StableDiscrepancyOfCompleteTree, NamesAGapOfThatStability) {
    for (const auto& [arity, height] : {std::pair{2, 13}, {3, 9}, {5, 8}, {7, 6}, {20, 4}}) {
        const auto a = static_cast<std::uint64_t>(arity);
        const auto h = static_cast<std::uint64_t>(height);
        const auto found = stable_discrepancy_of_complete_tree(a, h);
        const auto known = stabilities(stable_gaps_of_complete_tree(a, h));
        EXPECT_EQ(known[value_of(a, h, found.hardest_gap)], found.lower);
    }
}

TEST(StabilityOfGap, EqualsTheBitsetSearchOnRandomGaps) {
    RandomStream random(5, Purpose::sampling);
    for (const auto& [arity, height] : {std::pair{2, 14}, {3, 10}, {4, 8}, {7, 6}, {11, 5}}) {
        const auto a = static_cast<std::uint64_t>(arity);
        const auto h = static_cast<std::uint64_t>(height);
        const auto known = stabilities(stable_gaps_of_complete_tree(a, h));
        const auto digits = stable_discrepancy_of_complete_tree(a, h).hardest_gap.digits.size();
        ASSERT_GT(digits, 0U);
        for (int repetition = 0; repetition < 300; ++repetition) {
            CompleteTreeGap gap;
            for (std::size_t i = 0; i < digits; ++i)
                gap.digits.push_back(static_cast<std::uint32_t>(random.below(a)));
            gap.rest = static_cast<std::int64_t>(random.below(301)) - 150;
            EXPECT_EQ(stability_of_gap(a, h, gap), known[value_of(a, h, gap)]);
        }
    }
}

TEST(StableDiscrepancyOfCompleteTree, RefutesTheConjectureForAritiesThreeToTwelve) {
    // The first height, for each arity, at which the conjecture is known to fail.
    for (const auto& [arity, height] :
         {std::pair{3, 14}, {4, 14}, {5, 8}, {6, 8}, {7, 6}, {8, 6}, {9, 6}, {10, 6}, {12, 6}}) {
        const auto a = static_cast<std::uint64_t>(arity);
        const auto h = static_cast<std::uint64_t>(height);
        const auto found = stable_discrepancy_of_complete_tree(a, h);
        EXPECT_TRUE(found.exact());
        EXPECT_LT(found.upper, theory::conjectured_stable_discrepancy(a, h).low);
        const auto before = stable_discrepancy_of_complete_tree(a, h - 1);
        EXPECT_GE(before.lower, theory::conjectured_stable_discrepancy(a, h - 1).low);
    }
}

TEST(StableDiscrepancyOfCompleteTree, RefutesTheConjectureForBinaryTreesFromHeightThirtyFour) {
    const auto found = stable_discrepancies_of_complete_trees(2, 30, 36, {1024, {}});
    for (std::uint64_t height = 30; height <= 36; ++height) {
        const auto& row = found[height - 30];
        EXPECT_TRUE(row.exact()) << "h = " << height;
        const auto conjectured = theory::conjectured_stable_discrepancy(2, height);
        EXPECT_EQ(row.lower >= conjectured.low, height != 34 && height != 36) << "h = " << height;
    }
}

TEST(StableDiscrepancyOfCompleteTree, GivesAllHeightsAtOnceWhatItGivesEach) {
    const auto together = stable_discrepancies_of_complete_trees(3, 1, 24);
    for (std::uint64_t height = 1; height <= 24; ++height) {
        const auto alone = stable_discrepancy_of_complete_tree(3, height);
        EXPECT_TRUE(alone.exact());
        EXPECT_EQ(together[height - 1].lower, alone.lower);
        EXPECT_EQ(together[height - 1].upper, alone.upper);
    }
}

TEST(StableDiscrepancyOfCompleteTree, EnclosesWhatIsKnownWhateverTheEffort) {
    for (const auto& [arity, height, known] : {std::tuple{8, 20, 68},
                                               {32, 12, 182},
                                               {5, 20, 38},
                                               {4, 20, 29},
                                               {3, 20, 19},
                                               {2, 30, 15}}) {
        for (const std::uint64_t profiles : {1U, 3U, 10U, 100U}) {
            const auto found = stable_discrepancy_of_complete_tree(
                static_cast<std::uint64_t>(arity), static_cast<std::uint64_t>(height),
                {profiles, {}});
            EXPECT_LE(found.lower, static_cast<std::uint64_t>(known));
            EXPECT_GE(found.upper, static_cast<std::uint64_t>(known));
        }
    }
}

TEST(StableDiscrepancyOfCompleteTree, GivesBoundsThatEncloseWhenProfilesAreJoined) {
    for (std::uint64_t height = 10; height <= 18; ++height) {
        const std::uint64_t known =
            maximum_stable_discrepancy(stable_gaps_of_complete_tree(2, height)).tokens;
        const auto found = stable_discrepancy_of_complete_tree(2, height, {1, {}});
        EXPECT_LE(found.lower, known);
        EXPECT_GE(found.upper, known);
    }
    EXPECT_FALSE(stable_discrepancy_of_complete_tree(2, 34, {1, {}}).exact());
}

TEST(StableDiscrepancyOfCompleteTree, RefusesWhatIsNotATreeOrTooLarge) {
    EXPECT_THROW(static_cast<void>(stable_discrepancy_of_complete_tree(0, 3)), UnsuitableError);
    EXPECT_THROW(static_cast<void>(stable_discrepancy_of_complete_tree(3, 0)), UnsuitableError);
    EXPECT_THROW(static_cast<void>(stable_discrepancy_of_complete_tree(5000, 3)), InputError);
    EXPECT_THROW(static_cast<void>(stability_of_gap(2, 40, {})), InputError);
    EXPECT_THROW(static_cast<void>(stability_of_gap(1, 3, {})), InputError);
    EXPECT_THROW(static_cast<void>(stability_of_gap(2, 2, {{0, 1, 0}, 0})), InputError);
    auto gap = stable_discrepancy_of_complete_tree(2, 14).hardest_gap;
    gap.digits.front() = 2;
    EXPECT_THROW(static_cast<void>(stability_of_gap(2, 14, gap)), InputError);
    gap.digits.front() = 1;
    gap.rest = 1'000'000;
    EXPECT_THROW(static_cast<void>(stability_of_gap(2, 14, gap)), InputError);
}

}  // namespace
}  // namespace equipoise::analysis
