#include "equipoise/analysis/big_gap.hpp"

#include <string>

#include <gtest/gtest.h>

#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/analysis/stable_discrepancy_kary.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::analysis {
namespace {

TEST(StabilityOfDecimalGap, EqualsTheBitsetSearchForAllGapsOfSmallTrees) {
    for (const auto& [arity, height] : {std::pair{2, 1}, {2, 2}, {2, 7}, {3, 5}, {5, 3}, {9, 2}}) {
        const auto a = static_cast<std::uint64_t>(arity);
        const auto h = static_cast<std::uint64_t>(height);
        const auto known = stabilities(stable_gaps_of_complete_tree(a, h));
        for (std::size_t gap = 0; gap < known.size(); ++gap)
            ASSERT_EQ(stability_of_decimal_gap(a, h, std::to_string(gap)), known[gap])
                << "k = " << a << ", h = " << h << ", gap " << gap;
    }
}

TEST(StabilityOfDecimalGap, EqualsTheDigitProgrammeOnTallTrees) {
    for (const auto& [arity, height] : {std::pair{3, 14}, {5, 12}, {7, 10}, {20, 8}}) {
        const auto a = static_cast<std::uint64_t>(arity);
        const auto h = static_cast<std::uint64_t>(height);
        const auto found = stable_discrepancy_of_complete_tree(a, h);
        EXPECT_EQ(stability_of_decimal_gap(a, h, to_decimal(a, h, found.hardest_gap)), found.lower)
            << "k = " << a << ", h = " << h;
    }
}

TEST(NodesOfCompleteTree, ArePrintedInFull) {
    EXPECT_EQ(nodes_of_complete_tree(7, 6), "137257");
    // 2^121 - 1
    EXPECT_EQ(nodes_of_complete_tree(2, 120), "2658455991569831745807614120560689151");
}

TEST(StabilityOfDecimalGap, RefusesNumbersThatAreNotGaps) {
    for (const std::string text : {"", "-1", "1e3", "31", "x"})
        EXPECT_THROW((void)stability_of_decimal_gap(2, 4, text), InputError) << text;
    EXPECT_THROW((void)stability_of_decimal_gap(1, 4, "2"), InputError);
}

}  // namespace
}  // namespace equipoise::analysis
