// docs/results/stateless-diffusion.md, rules without memory on rings.
//
// Theorem 6. On a ring of three nodes or more let every node with x tokens send floor(x / 4) to the
// left and floor((x + 2) / 4) to the right. From any loads the discrepancy comes to 1 or less, for
// ever.
// Theorem 7. With floor(x / 3) and floor((x + 1) / 3) it comes to 1 or less on rings of an odd
// number of nodes, and to 2 or less on others, where 2 can stay.
// Of all rules by tables of 3, 4, 5 or 6 entries that send equal shares each way and at most one
// token more only that of Theorem 6 and the same with x + 1 or x + 2 for x keep no 2.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/load/loads.hpp"
#include "tests/support/threshold_reference.hpp"

namespace equipoise::test::rules_on_rings {
namespace {

using load::Loads;

Tokens floor_of(Tokens x, Tokens divisor) {
    return x >= 0 ? x / divisor : -((divisor - 1 - x) / divisor);
}

/// A node with q D + r tokens, 0 <= r < D, sends q tokens each way, and one more each way where the
/// table has one for r.
struct TableRule {
    std::vector<Tokens> left;
    std::vector<Tokens> right;

    bool operator==(const TableRule&) const = default;
    [[nodiscard]] Loads after(const Loads& loads) const {
        const auto divisor = static_cast<Tokens>(left.size());
        const std::size_t nodes = loads.size();
        Loads next = loads;
        for (std::size_t node = 0; node < nodes; ++node) {
            const Tokens whole = floor_of(loads[node], divisor);
            const auto rest = static_cast<std::size_t>(loads[node] - whole * divisor);
            next[node] -= 2 * whole + left[rest] + right[rest];
            next[(node + nodes - 1) % nodes] += whole + left[rest];
            next[(node + 1) % nodes] += whole + right[rest];
        }
        return next;
    }
    /// The largest discrepancy on the cycle of states that loads come to (Brent's algorithm).
    [[nodiscard]] Tokens kept(Loads loads) const {
        Loads mark = loads;
        std::uint64_t length = 0;
        for (std::uint64_t power = 1;; ++length) {
            if (length == power) {
                mark = loads;
                power *= 2;
                length = 0;
            }
            loads = after(loads);
            if (loads == mark) break;
        }
        Tokens most = 0;
        do {
            most = std::max(most, load::discrepancy(loads));
            loads = after(loads);
        } while (loads != mark);
        return most;
    }
};

const TableRule quarters{{0, 0, 0, 0}, {0, 0, 1, 1}};
const TableRule thirds{{0, 0, 0}, {0, 0, 1}};

TEST(RulesOnRings, QuartersLevelToOneFromAllLoadsOfUpToSevenTokensOnRingsOfUpToSixNodes) {
    for (std::size_t nodes = 3; nodes <= 6; ++nodes) {
        Loads loads(nodes, 0);
        do
            ASSERT_LE(quarters.kept(loads), 1);
        while (next_loads(loads, nodes < 6 ? 7 : 5));
    }
}

TEST(RulesOnRings, QuartersLevelToOneFromRandomLoadsOnLargerRings) {
    RandomStream random(61, Purpose::sampling);
    for (std::size_t nodes = 7; nodes <= 60; ++nodes) {
        Loads loads(nodes, 0);
        for (Tokens& load : loads)
            load = static_cast<Tokens>(random.below(200));
        EXPECT_LE(quarters.kept(loads), 1) << nodes;
        Loads spike(nodes, 0);
        spike.front() = static_cast<Tokens>(64 * nodes);
        EXPECT_EQ(quarters.kept(spike), 0) << nodes;
    }
}

TEST(RulesOnRings, ThirdsLevelToOneOnOddRingsAndToTwoOnEvenOnes) {
    for (std::size_t nodes = 3; nodes <= 6; ++nodes) {
        Tokens most = 0;
        Loads loads(nodes, 0);
        do
            most = std::max(most, thirds.kept(loads));
        while (next_loads(loads, nodes < 6 ? 7 : 5));
        EXPECT_EQ(most, nodes % 2 == 1 ? 1 : 2);
    }
    EXPECT_EQ(thirds.after({3, 1, 3, 1}), (Loads{1, 3, 1, 3}));
}

/// What the proofs rest on: constants stay, and more tokens never lead to fewer. So the largest
/// load never rises and the smallest never falls.
TEST(RulesOnRings, QuartersAndThirdsKeepConstantsAndAreMonotone) {
    for (const TableRule* rule : {&quarters, &thirds}) {
        for (Tokens level = -9; level <= 9; ++level)
            EXPECT_EQ(rule->after(Loads(5, level)), Loads(5, level));
        Loads loads(4, 0);
        do {
            const Loads before = rule->after(loads);
            for (std::size_t node = 0; node < loads.size(); ++node) {
                Loads more = loads;
                ++more[node];
                const Loads after = rule->after(more);
                for (std::size_t i = 0; i < loads.size(); ++i)
                    ASSERT_LE(before[i], after[i]);
            }
        } while (next_loads(loads, 6));
    }
}

/// Wherever a node holds the maximum M after a round, one node did before it: on the right for
/// M = 0 modulo 4, itself for 1 and 3, on the left for 2.
TEST(RulesOnRings, QuartersMoveTheFullestNodesByAtMostOneLink) {
    Loads loads(5, 0);
    do {
        const Tokens most = *std::max_element(loads.begin(), loads.end());
        const Loads after = quarters.after(loads);
        for (std::size_t node = 0; node < loads.size(); ++node) {
            if (after[node] != most) continue;
            const std::size_t before = most % 4 == 0   ? (node + 1) % 5
                                       : most % 4 == 2 ? (node + 4) % 5
                                                       : node;
            ASSERT_EQ(loads[before], most);
        }
    } while (next_loads(loads, 7));
}

/// All tables of zeros and ones, one of each pair of mirror images.
template <class Look>
void for_all_tables(std::size_t divisor, const Look& look) {
    const std::uint32_t tables = 1U << divisor;
    const auto table = [&](std::uint32_t bits) {
        std::vector<Tokens> list(divisor);
        for (std::size_t rest = 0; rest < divisor; ++rest)
            list[rest] = bits >> rest & 1U;
        return list;
    };
    for (std::uint32_t left = 0; left < tables; ++left)
        for (std::uint32_t right = left; right < tables; ++right)
            look(TableRule{table(left), table(right)});
}

TEST(RulesOnRings, OfAllTablesOfThreeToSixEntriesOnlyThreeOfFourKeepNoTwo) {
    const std::vector<std::vector<Loads>> starts = {
        {{4, 3, 3, 6}, {4, 3, 6, 4, 2, 9}, {7, 5, 0, 9, 1, 6, 5, 6}, {1, 4, 3, 4}, {2, 5, 2, 8}},
        {{0, 3, 4, 6, 5, 5, 2, 5}, {0, 3, 3, 1, 1, 3, 2}, {1, 1, 0, 4, 1, 0}},
        {{12, 8, 15, 9},
         {12, 9, 1, 0, 9, 11, 12, 1},
         {2, 4, 6},
         {4, 1, 4, 4, 0, 3},
         {9, 9, 13, 13, 5},
         {0, 6, 5, 13, 1, 2, 1}},
        {{4, 3, 3, 6},
         {0, 4, 15},
         {4, 7, 7, 9, 1, 7, 14},
         {1, 1, 1, 3, 3},
         {0, 6, 5},
         {10, 11, 7, 4, 9, 9}}};
    for (std::size_t divisor = 3; divisor <= 6; ++divisor) {
        std::vector<TableRule> left_over;
        for_all_tables(divisor, [&](const TableRule& rule) {
            const auto refutes = [&](const Loads& start) { return rule.kept(start) >= 2; };
            const auto& here = starts[divisor - 3];
            if (std::none_of(here.begin(), here.end(), refutes)) left_over.push_back(rule);
        });
        const std::vector<TableRule> theorem_6 = {
            quarters, {{0, 0, 0, 1}, {0, 1, 1, 1}}, {{0, 0, 1, 1}, {1, 1, 1, 1}}};
        EXPECT_EQ(left_over, divisor == 4 ? theorem_6 : std::vector<TableRule>{}) << divisor;
        for (const TableRule& rule : left_over) {
            Loads loads(4, 0);
            do
                ASSERT_LE(rule.kept(loads), 1);
            while (next_loads(loads, 5));
        }
    }
}

}  // namespace
}  // namespace equipoise::test::rules_on_rings
