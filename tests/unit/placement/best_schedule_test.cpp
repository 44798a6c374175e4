#include "equipoise/placement/best_schedule.hpp"

#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/support/property.hpp"

namespace equipoise::placement {
namespace {

// seconds[b][s - 1]: of step s if the last balance was made after step b.
using Table = std::vector<std::vector<double>>;

double seconds_of(const Table& table, const std::vector<double>& costs,
                  const std::vector<std::size_t>& balances) {
    double total = 0;
    std::size_t last = 0;
    std::size_t next = 0;
    for (std::size_t step = 1; step <= costs.size(); ++step) {
        total += table[last][step - 1];
        if (next == balances.size() || balances[next] != step) continue;
        total += costs[step - 1];
        last = step;
        ++next;
    }
    EXPECT_EQ(balances.size(), next);
    return total;
}

Schedule best_of(const Table& table, const std::vector<double>& costs) {
    return best_schedule(costs, [&](std::size_t after, std::span<double> seconds) {
        ASSERT_EQ(costs.size() - after, seconds.size());
        for (std::size_t i = 0; i < seconds.size(); ++i)
            seconds[i] = table[after][after + i];
    });
}

// Trying all subsets of the steps but the last.
double least_of_all(const Table& table, const std::vector<double>& costs) {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint64_t set = 0; set < (std::uint64_t{1} << (costs.size() - 1)); ++set) {
        std::vector<std::size_t> balances;
        for (std::size_t step = 1; step < costs.size(); ++step) {
            if ((set >> (step - 1) & 1U) != 0) balances.push_back(step);
        }
        least = std::min(least, seconds_of(table, costs, balances));
    }
    return least;
}

TEST(BestSchedule, TakesTheLeastTimeOfAllSchedules) {
    EXPECT_TRUE(test::holds([] {
        const auto steps = *rc::gen::inRange<std::size_t>(1, 9);
        const auto some = rc::gen::container<std::vector<double>>(
            steps, rc::gen::map(rc::gen::inRange(0, 9), [](int x) { return double(x); }));
        const Table table = *rc::gen::container<Table>(steps, some);
        const std::vector<double> costs = *some;
        const Schedule best = best_of(table, costs);
        RC_ASSERT(best.seconds == least_of_all(table, costs));
        RC_ASSERT(best.seconds == seconds_of(table, costs, best.balances));
    }));
}

TEST(BestSchedule, OfNoStepsIsEmpty) {
    const Schedule best = best_schedule({}, [](std::size_t, std::span<double>) { FAIL(); });
    EXPECT_EQ(0, best.seconds);
    EXPECT_TRUE(best.balances.empty());
}

TEST(BestSchedule, NeverBalancesAfterTheLastStepOrForNothing) {
    const Table alike(5, std::vector<double>(5, 2));
    const Schedule best = best_of(alike, std::vector<double>(5, 0));
    EXPECT_EQ(10, best.seconds);
    EXPECT_TRUE(best.balances.empty());
}

}  // namespace
}  // namespace equipoise::placement
