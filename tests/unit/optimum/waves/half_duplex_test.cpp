#include "equipoise/optimum/waves/half_duplex.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/optimum/waves/bound.hpp"
#include "equipoise/optimum/waves/check.hpp"
#include "equipoise/optimum/waves/planner.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/wave_search.hpp"

namespace equipoise::optimum {
namespace {

using Draw = test::Draw<Tokens>;
using Bundles = std::vector<FatMove>;
using Waves = std::vector<std::vector<FatMove>>;

/// What is wrong with the waves: each wave within `at_most`, all transfers made; empty: nothing.
std::string fault_of(const Bundles& bundles, const std::vector<Tokens>& at_most,
                     const Waves& waves) {
    const std::size_t nodes = at_most.size();
    std::vector<Tokens> left(nodes * nodes, 0);
    for (const FatMove& move : bundles)
        left[move.from * nodes + move.to] += move.tokens;
    for (const std::vector<FatMove>& wave : waves) {
        std::vector<Tokens> degrees(nodes, 0);
        for (const FatMove& move : wave) {
            if (move.tokens <= 0) return "an empty move";
            left[move.from * nodes + move.to] -= move.tokens;
            degrees[move.from] += move.tokens;
            degrees[move.to] += move.tokens;
        }
        for (std::size_t node = 0; node < nodes; ++node)
            if (degrees[node] > at_most[node]) return "a node does too much";
    }
    return std::all_of(left.begin(), left.end(), [](Tokens each) { return each == 0; })
               ? ""
               : "other transfers";
}

Step waves_of_the_busiest(const Bundles& bundles, const std::vector<Tokens>& at_most) {
    std::vector<Tokens> degrees(at_most.size(), 0);
    for (const FatMove& move : bundles) {
        degrees[move.from] += move.tokens;
        degrees[move.to] += move.tokens;
    }
    Tokens waves = 0;
    for (std::size_t node = 0; node < degrees.size(); ++node)
        waves = std::max(waves, ceil_divide(degrees[node], at_most[node]));
    return static_cast<Step>(waves);
}

/// The fewest waves of all splits, by all sets of units as waves.
Step fewest_waves(const Bundles& bundles, const std::vector<Tokens>& at_most) {
    Bundles units;
    for (const FatMove& move : bundles)
        units.insert(units.end(), static_cast<std::size_t>(move.tokens), {move.from, move.to, 1});
    const std::size_t sets = std::size_t{1} << units.size();
    std::vector<bool> is_wave(sets, false);
    for (std::size_t set = 0; set < sets; ++set) {
        std::vector<Tokens> degrees(at_most.size(), 0);
        for (std::size_t at = 0; at < units.size(); ++at)
            if ((set >> at & 1) != 0) ++degrees[units[at].from], ++degrees[units[at].to];
        is_wave[set] = std::equal(degrees.begin(), degrees.end(), at_most.begin(),
                                  [](Tokens degree, Tokens most) { return degree <= most; });
    }
    std::vector<Step> fewest(sets, units.size());
    fewest[0] = 0;
    for (std::size_t set = 1; set < sets; ++set)
        for (std::size_t wave = set; wave > 0; wave = (wave - 1) & set)
            if (is_wave[wave]) fewest[set] = std::min(fewest[set], fewest[set ^ wave] + 1);
    return fewest.back();
}

/// Calls the function for every multigraph of up to four nodes and six transfers. Directions, which
/// change nothing, are drawn.
void for_all_small(const std::function<void(const Bundles&)>& check) {
    constexpr std::array<std::array<NodeId, 2>, 6> pairs = {
        {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
    Draw draw(1);
    std::array<Tokens, 6> times = {};
    std::function<void(std::size_t, Tokens)> choose = [&](std::size_t pair, Tokens left) {
        if (pair == pairs.size()) {
            Bundles bundles;
            for (std::size_t at = 0; at < pairs.size(); ++at) {
                const Tokens up = draw(0, times[at]);
                if (up > 0) bundles.push_back({pairs[at][0], pairs[at][1], up});
                if (up < times[at]) bundles.push_back({pairs[at][1], pairs[at][0], times[at] - up});
            }
            check(bundles);
            return;
        }
        for (Tokens number = 0; number <= left; ++number) {
            times[pair] = number;
            choose(pair + 1, left - number);
        }
    };
    choose(0, 6);
}

/// Every choice of one of these numbers for each of four nodes.
std::vector<std::vector<Tokens>> numbers_of_four(const std::vector<Tokens>& choices) {
    std::vector<std::vector<Tokens>> all = {{}};
    for (int node = 0; node < 4; ++node) {
        std::vector<std::vector<Tokens>> longer;
        for (const std::vector<Tokens>& numbers : all)
            for (const Tokens choice : choices) {
                longer.push_back(numbers);
                longer.back().push_back(choice);
            }
        all = std::move(longer);
    }
    return all;
}

// Kari, Kim, Russell 2011: with even numbers the busiest node decides.
TEST(HalfDuplex, WithEvenNumbersTheBusiestNodeDecidesOnAllSmallProblems) {
    std::size_t cases = 0;
    const auto numbers = numbers_of_four({2, 4});
    for_all_small([&](const Bundles& bundles) {
        for (const std::vector<Tokens>& at_most : numbers) {
            const Waves waves = split_for_half_duplex(bundles, at_most);
            ASSERT_EQ(fault_of(bundles, at_most, waves), "");
            ASSERT_EQ(waves.size(), waves_of_the_busiest(bundles, at_most));
            ++cases;
        }
        ASSERT_EQ(fewest_waves(bundles, numbers.front()),
                  waves_of_the_busiest(bundles, numbers.front()));
    });
    EXPECT_EQ(cases, 924U * 16U);
}

TEST(HalfDuplex, WithOddNumbersNoBoundIsBrokenAndTheFewestWavesAreFoundOnAllSmallProblems) {
    std::size_t cases = 0;
    std::size_t bound_is_met = 0;
    std::size_t more_than_the_busiest = 0;
    const auto numbers = numbers_of_four({1, 2, 3});
    for_all_small([&](const Bundles& bundles) {
        for (const std::vector<Tokens>& at_most : numbers) {
            const Waves waves = split_for_half_duplex(bundles, at_most);
            ASSERT_EQ(fault_of(bundles, at_most, waves), "");
            const Step fewest = fewest_waves(bundles, at_most);
            const Step bound = half_duplex_waves_at_least(bundles, at_most);
            ASSERT_LE(bound, fewest);
            ASSERT_EQ(waves.size(), fewest);
            ++cases;
            if (bound == fewest) ++bound_is_met;
            if (waves_of_the_busiest(bundles, at_most) < fewest) ++more_than_the_busiest;
        }
    });
    EXPECT_EQ(cases, 924U * 81U);
    EXPECT_EQ(bound_is_met, cases);
    EXPECT_GT(more_than_the_busiest, 400U);
}

/// More nodes, some of them busy.
Bundles drawn_bundles(Draw& draw, NodeId nodes, std::size_t number, Tokens units_most) {
    Bundles bundles;
    while (bundles.size() < number) {
        const auto from = static_cast<NodeId>(draw(0, nodes - 1));
        const auto to = static_cast<NodeId>(draw(0, draw(0, 1) == 0 ? nodes - 1 : nodes / 3));
        if (from != to) bundles.push_back({from, to, draw(1, units_most)});
    }
    return bundles;
}

TEST(HalfDuplex, OfLargeProblemsIsExactWithEvenNumbersAndNearTheBoundWithOddOnes) {
    Draw draw(2);
    std::size_t waves_made = 0;
    std::size_t waves_at_least = 0;
    for (int round = 0; round < 200; ++round) {
        const auto nodes = static_cast<NodeId>(draw(2, 40));
        const Bundles bundles = drawn_bundles(draw, nodes, static_cast<std::size_t>(draw(1, 300)),
                                              round % 2 == 0 ? 1 : 5);
        std::vector<Tokens> even;
        std::vector<Tokens> odd;
        for (NodeId node = 0; node < nodes; ++node) {
            even.push_back(2 * draw(1, 4));
            odd.push_back(round % 4 < 2 ? 1 : draw(1, 5));
        }
        const Waves exact = split_for_half_duplex(bundles, even);
        ASSERT_EQ(fault_of(bundles, even, exact), "");
        ASSERT_EQ(exact.size(), waves_of_the_busiest(bundles, even));
        const Waves waves = split_for_half_duplex(bundles, odd);
        ASSERT_EQ(fault_of(bundles, odd, waves), "");
        ASSERT_LT(waves.size(), 2 * waves_of_the_busiest(bundles, odd));
        waves_made += waves.size();
        waves_at_least += half_duplex_waves_at_least(bundles, odd);
    }
    EXPECT_LE(waves_made * 100, waves_at_least * 101) << waves_made << " of " << waves_at_least;
}

TEST(HalfDuplex, OfManyTransfersOneByOneHasHardlyMoreWavesThanTheBusiestNodeNeeds) {
    Draw draw(5);
    const Bundles bundles = drawn_bundles(draw, 100, 9'000, 12);
    for (const Tokens most : {1, 3}) {
        const std::vector<Tokens> at_most(100, most);
        const Waves waves = split_for_half_duplex(bundles, at_most);
        ASSERT_EQ(fault_of(bundles, at_most, waves), "");
        EXPECT_LE(waves.size() * 100, half_duplex_waves_at_least(bundles, at_most) * 101)
            << half_duplex_waves_at_least(bundles, at_most);
    }
}

TEST(HalfDuplex, OfBundlesOfAMillionUnitsIsFoundAtOnce) {
    const Bundles bundles = {{0, 1, 1'000'000}, {1, 2, 1'000'001}, {2, 0, 999'999}, {0, 3, 5}};
    const Waves even = split_for_half_duplex(bundles, {1000, 2000, 1000, 2});
    EXPECT_EQ(fault_of(bundles, {1000, 2000, 1000, 2}, even), "");
    EXPECT_EQ(even.size(), 2001U);
    const Waves odd = split_for_half_duplex(bundles, {999, 999, 999, 1});
    EXPECT_EQ(fault_of(bundles, {999, 999, 999, 1}, odd), "");
    EXPECT_LT(odd.size(), 2U * 2003U);
}

TEST(HalfDuplex, OfManyPairsThatShareNoNodeIsFoundAtOnce) {
    constexpr NodeId pairs = 50'000;
    Bundles bundles;
    for (NodeId pair = 0; pair < pairs; ++pair)
        bundles.push_back({2 * pair, 2 * pair + 1, 2});
    const std::vector<Tokens> at_most(std::size_t{2} * pairs, 1);
    EXPECT_EQ(split_for_half_duplex(bundles, at_most).size(), 2U);
    EXPECT_EQ(half_duplex_waves_at_least(bundles, at_most), 2U);
}

ItemsProblem drawn_problem(Draw& draw, NodeId nodes, ItemId items) {
    ItemsProblem problem;
    problem.half_duplex = true;
    problem.nodes = nodes;
    for (ItemId item = 0; item < items; ++item) {
        problem.places.push_back(static_cast<NodeId>(draw(0, nodes - 1)));
        problem.final_places.push_back(static_cast<NodeId>(draw(0, nodes - 1)));
    }
    return problem;
}

TEST(HalfDuplexPlans, OfOneSizeReachTheirPlacesInTheFewestWavesOfAllSchedulesWithSoFewMoves) {
    Draw draw(3);
    int exact = 0;
    for (int round = 0; round < 80; ++round) {
        const auto nodes = static_cast<NodeId>(draw(2, 4));
        ItemsProblem problem =
            drawn_problem(draw, nodes, static_cast<ItemId>(draw(1, nodes == 4 ? 4 : 5)));
        if (draw(0, 1) == 0) {
            problem.at_once = draw(1, 2);
        } else {
            for (NodeId node = 0; node < problem.nodes; ++node)
                problem.gives.push_back(draw(1, 3));
        }
        if (draw(0, 2) == 0)
            for (NodeId node = 0; node < problem.nodes; ++node)
                problem.takes.push_back(std::find(problem.final_places.begin(),
                                                  problem.final_places.end(),
                                                  node) == problem.final_places.end()
                                            ? 0
                                            : tokens_max);
        SCOPED_TRACE(round);
        const test::WaveOptimum best = test::WaveSearch(problem).run();
        const WavesPlan plan = plan_waves(problem);
        ASSERT_TRUE(plan.moves_exact());
        ASSERT_EQ(plan.moves(), best.moves.value());
        ASSERT_EQ(plan.waves, best.waves_of_fewest_moves);
        ASSERT_LE(plan.wave_bound.waves(), best.waves);
        ASSERT_EQ(check_wave_bound(problem, plan.wave_bound), "");
        if (plan.exact()) ++exact;
    }
    EXPECT_GT(exact, 60);
}

TEST(HalfDuplexPlans, OfSeveralSizesAreAllowedAndNotBelowTheirBounds) {
    Draw draw(4);
    int exact = 0;
    for (int round = 0; round < 80; ++round) {
        const auto nodes = static_cast<NodeId>(draw(2, 4));
        ItemsProblem problem =
            drawn_problem(draw, nodes, static_cast<ItemId>(draw(1, nodes == 4 ? 4 : 5)));
        for (ItemId item = 0; item < problem.items(); ++item)
            problem.sizes.push_back(draw(1, 5));
        for (NodeId node = 0; node < problem.nodes; ++node)
            problem.gives.push_back(draw(5, 9));
        if (draw(0, 1) == 0) problem.at_once = draw(1, 3);
        if (draw(0, 1) == 0)
            for (NodeId node = 0; node < problem.nodes; ++node)
                problem.capacities.push_back(draw(15, 25));
        SCOPED_TRACE(round);
        const test::WaveOptimum best = test::WaveSearch(problem).run();
        if (!best.moves) continue;
        const WavesPlan plan = plan_waves(problem);
        ASSERT_TRUE(plan.found);
        ASSERT_TRUE(check_waves(problem, plan.schedule).holds);
        ASSERT_LE(plan.wave_bound.waves(), best.waves);
        ASSERT_EQ(check_wave_bound(problem, plan.wave_bound), "");
        if (plan.exact()) ++exact;
    }
    EXPECT_GT(exact, 50);
}

TEST(HalfDuplexPlans, AreCheckedForWhatNodesGiveAndTakeTogether) {
    ItemsProblem problem;
    problem.nodes = 3;
    problem.places = {0, 1, 2};
    problem.final_places = {1, 2, 0};
    problem.at_once = 1;
    const WaveSchedule swap = {{0, 0, 0, 1}, {0, 1, 1, 2}, {0, 2, 2, 0}};
    EXPECT_TRUE(check_waves(problem, swap).holds);
    EXPECT_EQ(plan_waves(problem).waves, 1U);
    problem.half_duplex = true;
    EXPECT_EQ(check_waves(problem, swap).fault,
              "node 1 gives and takes 2 items, more than 1 at once, in wave 0");
    const WavesPlan plan = plan_waves(problem);
    EXPECT_EQ(plan.waves, 3U);
    EXPECT_TRUE(plan.exact());
    EXPECT_EQ(plan.wave_bound.kind, WaveBoundKind::within);
    // By way of a fourth node two waves are enough.
    problem.nodes = 4;
    EXPECT_EQ(waves_at_least(problem).waves(), 2U);
    EXPECT_TRUE(
        check_waves(problem, WaveSchedule{{0, 0, 0, 1}, {0, 2, 2, 3}, {1, 1, 1, 2}, {1, 2, 3, 0}})
            .holds);
    // Unless it takes nothing.
    problem.takes = {1, 1, 1, 0};
    EXPECT_EQ(waves_at_least(problem).waves(), 3U);
}

}  // namespace
}  // namespace equipoise::optimum
