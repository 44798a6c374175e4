// Circulations in which everything is rounded down or up.

#include "equipoise/optimum/flows/circulation_rounding.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"

namespace equipoise::optimum {
namespace {

TEST(CirculationRounding, KeepsCirculationsAndNeverMovesByAWhole) {
    RandomStream random(11, Purpose::sampling);
    int fractional = 0;
    for (int i = 0; i < 5000; ++i) {
        const auto nodes = static_cast<std::uint32_t>(2 + random.below(8));
        const std::uint64_t denominator = i % 3 == 0 ? 2 : 2 + random.below(12);
        // Flows round random cycles, in parts of the denominator.
        std::vector<FractionalArc> arcs;
        std::vector<std::uint64_t> amounts;
        for (std::uint64_t cycles = random.below(12); cycles > 0; --cycles) {
            const std::uint64_t amount = 1 + random.below(3 * denominator);
            const auto start = static_cast<std::uint32_t>(random.below(nodes));
            std::uint32_t at = start;
            for (std::uint64_t length = 1 + random.below(6); length > 0; --length) {
                auto next = static_cast<std::uint32_t>(random.below(nodes));
                if (next == at) next = (next + 1) % nodes;
                arcs.push_back({at, next, 0});
                amounts.push_back(amount);
                at = next;
            }
            if (at == start) continue;
            arcs.push_back({at, start, 0});
            amounts.push_back(amount);
        }
        std::vector<std::int64_t> balance(nodes, 0);
        for (std::size_t arc = 0; arc < arcs.size(); ++arc) {
            arcs[arc].numerator = amounts[arc] % denominator;
            fractional += arcs[arc].numerator > 0 ? 1 : 0;
        }
        const std::vector<std::uint8_t> up = round_circulation(nodes, arcs, denominator);
        ASSERT_EQ(up.size(), arcs.size());
        for (std::size_t arc = 0; arc < arcs.size(); ++arc) {
            const auto rounded = static_cast<std::int64_t>(amounts[arc] / denominator + up[arc]);
            if (arcs[arc].numerator == 0) {
                ASSERT_EQ(up[arc], 0);
            }
            balance[arcs[arc].tail] -= rounded;
            balance[arcs[arc].head] += rounded;
        }
        ASSERT_EQ(balance, std::vector<std::int64_t>(nodes, 0)) << "instance " << i;
    }
    EXPECT_GT(fractional, 1000);
}

TEST(CirculationRounding, TakesLongListsAtOneNodeInLinearTime) {
    // 200,000 arcs out of a centre and as many back: every cycle leads through the centre.
    constexpr std::uint32_t leaves = 200'000;
    std::vector<FractionalArc> arcs;
    for (std::uint32_t leaf = 1; leaf <= leaves; ++leaf) {
        arcs.push_back({0, leaf, 1 + leaf % 2});
        arcs.push_back({leaf, 0, 1 + leaf % 2});
    }
    const std::vector<std::uint8_t> up = round_circulation(leaves + 1, arcs, 3);
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf)
        ASSERT_EQ(up[2 * leaf], up[2 * leaf + 1]);
}

}  // namespace
}  // namespace equipoise::optimum
