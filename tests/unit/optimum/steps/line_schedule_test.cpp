#include "equipoise/optimum/steps/line_schedule.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/load/line_timetable.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "equipoise/optimum/steps/static_bound.hpp"
#include "tests/support/connected_graphs.hpp"

namespace equipoise::optimum {
namespace {

using network::Network;

/// A line whose nodes are numbered in the given order.
Network line(const std::vector<NodeId>& order) {
    std::vector<Ends> links;
    for (std::size_t i = 0; i + 1 < order.size(); ++i)
        links.push_back({order[i], order[i + 1]});
    return {static_cast<NodeId>(order.size()), std::move(links)};
}

std::vector<NodeId> shuffled(NodeId nodes, RandomStream& random) {
    std::vector<NodeId> order(nodes);
    std::iota(order.begin(), order.end(), NodeId{0});
    for (NodeId i = nodes; i > 1; --i)
        std::swap(order[i - 1], order[random.below(i)]);
    return order;
}

constexpr std::uint64_t many = 1'000'000;

/// Whether a schedule of this many steps is found; it is checked.
bool finds(const Problem& problem, Step steps) {
    const auto found = line_schedule(problem, steps, many);
    if (!found) return false;
    EXPECT_EQ(found->size(), steps);
    const Schedule schedule = unit_steps(*found, problem.network->node_count());
    const ScheduleVerdict verdict = check_schedule(problem, schedule);
    EXPECT_TRUE(verdict.holds);
    EXPECT_LE(verdict.steps, steps);
    return true;
}

TEST(LineSchedule, MeetsTheoremOnesBoundOnLinesWhereEveryNodeEndsWithATokenOrMore) {
    RandomStream random(41, Purpose::sampling);
    int one_sided = 0;
    for (int i = 0; i < 400; ++i) {
        const auto nodes = static_cast<NodeId>(2 + random.below(30));
        const Network network = line(shuffled(nodes, random));
        load::Loads loads(nodes, 1);
        loads[random.below(nodes)] += static_cast<Tokens>(random.below(200));
        for (const FinalLoads& target : {floor_or_ceiling(loads), exact_up_to(loads, 0)}) {
            const Problem problem{&network, loads, target, {}, {}, {}};
            const Step bound = static_bound(problem).steps;
            if (finds(problem, bound)) ++one_sided;
            EXPECT_TRUE(bound == 0 || !line_schedule(problem, bound - 1, many));
        }
    }
    EXPECT_GE(one_sided, 600);
}

TEST(LineSchedule, FindsNothingIfThereIsNothingAndFlowsDecideIfItFindsNothing) {
    RandomStream random(42, Purpose::sampling);
    for (int i = 0; i < 300; ++i) {
        const auto nodes = static_cast<NodeId>(2 + random.below(12));
        const Network network = line(shuffled(nodes, random));
        const load::Loads loads = test::random_loads(nodes, 12, random);
        for (const FinalLoads& target : {floor_or_ceiling(loads), at_most(nodes, 7)}) {
            const Problem problem{&network, loads, target, {}, {}, {}};
            if (target.room() < load::total(loads)) continue;
            const EnclosedSteps fewest = minimum_steps(problem);
            ASSERT_TRUE(fewest.exact());
            EXPECT_TRUE(check_schedule(problem, unit_steps(fewest.steps, nodes)).holds);
            EXPECT_TRUE(*fewest.at_most == 0 || !line_schedule(problem, *fewest.at_most - 1, many));
            finds(problem, *fewest.at_most);
        }
    }
}

TEST(LineSchedule, IsForPlainProblemsOnLinesOnly) {
    const Network cycle(3, {{0, 1}, {1, 2}, {0, 2}});
    const Network path = line({0, 1, 2});
    const load::Loads loads = {3, 0, 0};
    const auto found = [&](const Network& network, std::vector<Tokens> ports,
                           std::vector<Step> delays, std::uint64_t moves_max) {
        const Problem problem{&network,         loads, floor_or_ceiling(loads),
                              std::move(ports), {},    std::move(delays)};
        return line_schedule(problem, 2, moves_max).has_value();
    };
    EXPECT_TRUE(found(path, {}, {}, many));
    EXPECT_TRUE(found(path, {1, 1, 1}, {}, many));
    EXPECT_FALSE(found(path, {2, 1, 1}, {}, many));
    EXPECT_FALSE(found(path, {}, {1, 2}, many));
    EXPECT_FALSE(found(path, {}, {}, 4));
    EXPECT_FALSE(found(cycle, {}, {}, many));
    EXPECT_FALSE(found(Network(4, {{0, 1}, {1, 2}, {0, 2}}), {}, {}, many));
}

}  // namespace
}  // namespace equipoise::optimum
