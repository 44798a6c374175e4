#include "equipoise/load/line_timetable.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/support/all_loads.hpp"
#include "tests/support/property.hpp"

namespace equipoise::load {
namespace {

using Line = std::vector<Tokens>;

/// All loads that one step can lead to: one send and one receive a cell.
std::set<Line> after_a_step(const Line& loads) {
    std::set<Line> found;
    const std::size_t cells = loads.size();
    // What each cell does: stay, send left, send right.
    std::vector<int> sends(cells, 0);
    for (;;) {
        Line next = loads;
        std::vector<int> received(cells, 0);
        bool possible = true;
        for (std::size_t i = 0; i < cells && possible; ++i) {
            if (sends[i] == 0) continue;
            const bool left = sends[i] == 1;
            possible = loads[i] >= 1 && (left ? i > 0 : i + 1 < cells);
            if (!possible) break;
            const std::size_t to = left ? i - 1 : i + 1;
            --next[i];
            ++next[to];
            possible = ++received[to] == 1;
        }
        if (possible) found.insert(next);
        std::size_t digit = 0;
        while (digit < cells && ++sends[digit] == 3)
            sends[digit++] = 0;
        if (digit == cells) return found;
    }
}

/// The number of steps to all loads that can be reached, breadth first.
std::map<Line, Step> distances(const Line& start) {
    std::map<Line, Step> distance = {{start, 0}};
    std::vector<Line> frontier = {start};
    for (Step steps = 1; !frontier.empty(); ++steps) {
        std::vector<Line> next;
        for (const Line& loads : frontier)
            for (const Line& after : after_a_step(loads))
                if (distance.try_emplace(after, steps).second) next.push_back(after);
        frontier = next;
    }
    return distance;
}

/// Plays a timetable and checks that every step is possible and none is idle. Returns the final
/// loads.
Line play(const Line& supply, const std::vector<LinkTimes>& links, Step steps) {
    Line loads = supply;
    for (Step step = 0; step < steps; ++step) {
        std::vector<int> sent(loads.size(), 0);
        std::vector<int> received(loads.size(), 0);
        for (std::size_t e = 0; e < links.size(); ++e) {
            const Tokens amount = links[e].flow < 0 ? -links[e].flow : links[e].flow;
            if (step < links[e].first || step >= links[e].first + static_cast<Step>(amount))
                continue;
            ++sent[links[e].flow > 0 ? e : e + 1];
            ++received[links[e].flow > 0 ? e + 1 : e];
        }
        EXPECT_GE(std::accumulate(sent.begin(), sent.end(), 0), 1);
        for (std::size_t i = 0; i < loads.size(); ++i) {
            EXPECT_LE(sent[i], 1);
            EXPECT_LE(received[i], 1);
            EXPECT_LE(sent[i], loads[i]);
            loads[i] += received[i] - sent[i];
        }
    }
    return loads;
}

template <class Act>
void for_all_lines(Act&& act) {
    for (const auto& [cells, tokens] : {std::pair(2, 8), {3, 7}, {4, 6}, {5, 4}})
        for (Tokens total = 0; total <= tokens; ++total)
            test::for_all_loads(static_cast<NodeId>(cells), total, act);
}

bool is_level(const Line& loads) {
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    return *most - *least <= 1;
}

TEST(LineTimetable, LeadsToItsTargetsOnAllSmallLines) {
    std::vector<LinkTimes> links;
    for_all_lines([&](const Line& supply) {
        for (const auto& [targets, fewest] : distances(supply)) {
            const Step steps = make_timetable(supply, targets, links);
            ASSERT_GE(steps, fewest);
            ASSERT_EQ(play(supply, links, steps), targets);
        }
    });
}

/// Whether some cell sends to both sides, or receives from both.
bool meets_both_ways(const std::vector<LinkTimes>& links) {
    for (std::size_t e = 1; e < links.size(); ++e)
        if ((links[e - 1].flow < 0 && links[e].flow > 0) ||
            (links[e - 1].flow > 0 && links[e].flow < 0))
            return true;
    return false;
}

TEST(LineTimetable, IsTheShortestScheduleWhereTokensGoOneWayThroughEveryCellOnAllSmallLines) {
    std::vector<LinkTimes> links;
    for_all_lines([&](const Line& supply) {
        for (const auto& [targets, fewest] : distances(supply)) {
            const Step steps = make_timetable(supply, targets, links);
            if (!meets_both_ways(links)) {
                ASSERT_EQ(steps, fewest) << ::testing::PrintToString(supply) << " to "
                                         << ::testing::PrintToString(targets);
            }
        }
    });
}

TEST(FewestStepsOfALine, AreThoseOfTheBestLevelLoadsForAllSmallLines) {
    for_all_lines([&](const Line& supply) {
        Step fewest = ~Step{0};
        for (const auto& [loads, steps] : distances(supply))
            if (is_level(loads)) fewest = std::min(fewest, steps);
        ASSERT_EQ(fewest_steps(supply), fewest) << ::testing::PrintToString(supply);
    });
}

TEST(FewestStepsOfALine, AreThoseOfTheKnownExamples) {
    EXPECT_EQ(fewest_steps(Line{8, 0, 0, 0, 0, 0, 0, 0}), 7U);
    EXPECT_EQ(fewest_steps(Line{4, 3, 5}), 1U);
    EXPECT_EQ(fewest_steps(Line{5}), 0U);
    EXPECT_EQ(fewest_steps(Line{1'000'000'000'000, 0}), 500'000'000'000U);
}

TEST(LevelTargets, GiveTheFirstCellsTheExtras) {
    Line targets(4);
    level_targets(Line{0, 0, 0, 6}, Extras::first, targets);
    EXPECT_EQ(targets, (Line{2, 2, 1, 1}));
}

TEST(LevelTargets, LeaveALevelLineAsItIsWhereExtrasFollowTheSupply) {
    const Line level = {2, 1, 1, 2, 1, 2, 2};
    Line targets(level.size());
    level_targets(level, Extras::follow_supply, targets);
    EXPECT_EQ(targets, level);
}

TEST(LevelTargets, AreLevelAndTheTimetableForThemIsRight) {
    EXPECT_TRUE(test::holds([] {
        const auto raw = *rc::gen::nonEmpty(rc::gen::container<Line>(rc::gen::inRange(0, 40)));
        const auto extras = *rc::gen::element(Extras::first, Extras::follow_supply);
        Line targets(raw.size());
        level_targets(raw, extras, targets);
        RC_ASSERT(is_level(targets));
        RC_ASSERT(std::accumulate(raw.begin(), raw.end(), Tokens{0}) ==
                  std::accumulate(targets.begin(), targets.end(), Tokens{0}));
        std::vector<LinkTimes> links;
        const Step steps = make_timetable(raw, targets, links);
        RC_ASSERT(play(raw, links, steps) == targets);
        RC_ASSERT(steps >= fewest_steps(raw));
    }));
}

TEST(LevelTargets, ThatFollowTheSupplyCostAtMostOneStepMoreThanTheBestOnAllSmallLines) {
    std::vector<LinkTimes> links;
    for_all_lines([&](const Line& supply) {
        Line targets(supply.size());
        level_targets(supply, Extras::follow_supply, targets);
        ASSERT_LE(make_timetable(supply, targets, links), fewest_steps(supply) + 1)
            << ::testing::PrintToString(supply);
    });
}

}  // namespace
}  // namespace equipoise::load
