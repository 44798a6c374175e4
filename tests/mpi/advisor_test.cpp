// The advisor on ranks: the same answer everywhere, and the same error.

#include "equipoise/balancer/advisor.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/base/error.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer {
namespace {

// The number on all ranks, which must be the same.
double same_everywhere(double mine) {
    std::vector<double> all(static_cast<std::size_t>(world_size()));
    MPI_Allgather(&mine, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, MPI_COMM_WORLD);
    EXPECT_EQ(std::vector<double>(all.size(), mine), all);
    return mine;
}

// Throws the same CollectiveError on all ranks.
void expect_same_error(mpi::Failure kind, const std::string& text,
                       const std::function<void()>& action) {
    try {
        action();
        ADD_FAILURE() << "nothing was thrown";
    } catch (const mpi::CollectiveError& error) {
        EXPECT_EQ(kind, error.failure()) << error.what();
        EXPECT_NE(std::string::npos, std::string(error.what()).find(text)) << error.what();
    }
}

TEST(AdvisorOnRanks, SaysWhatTheRuleSaysOfTheLargestAndTheAverage) {
    const int ranks = world_size();
    Advisor advisor(MPI_COMM_WORLD);
    placement::Advisor rule;
    std::int64_t last = 0;
    for (std::int64_t step = 0; step < 200; ++step) {
        // Thousandths of seconds, rank by rank.
        const auto of = [&](int rank) { return 1000 + rank * (step - last) * 10 + step % 3; };
        std::vector<double> seconds;
        for (int rank = 0; rank < ranks; ++rank)
            seconds.push_back(1e-3 * static_cast<double>(of(rank)));
        advisor.step(1e-3 * static_cast<double>(of(world_rank())));
        rule.step(seconds);
        const Advice advice = advisor.worth_it();
        const Advice expected = rule.worth_it();
        EXPECT_NEAR(expected.gain, same_everywhere(advice.gain), 1e-9);
        ASSERT_EQ(expected.worth_it, advice.worth_it) << step;
        ASSERT_EQ(expected.break_even_step, advice.break_even_step) << step;
        if (!advice) continue;
        // The slowest rank's seconds count.
        advisor.balanced(0.25 * (1 + world_rank()));
        rule.balanced(0.25 * ranks);
        EXPECT_FALSE(advisor.worth_it());
        last = step + 1;
    }
    EXPECT_EQ(200, advisor.steps());
    EXPECT_EQ(rule.balances(), advisor.balances());
    EXPECT_EQ(ranks > 1, advisor.balances() > 2);
}

// Items whose costs grow on rank 0: the seconds are those that a real program would measure.
TEST(AdvisorOnRanks, LevelsItemsWhoseCostsDriftInLessTimeThanNeverBalancing) {
    const auto seconds = [](const std::vector<double>& costs) {
        return std::accumulate(costs.begin(), costs.end(), 0.0);
    };
    std::vector<double> kept(40, 1);
    std::vector<double> costs(40, 1);
    std::vector<std::int64_t> items(40, world_rank() == 0 ? 1 : 0);
    Advisor advisor(MPI_COMM_WORLD);
    double never = 0;
    double advised = 0;
    const double cost = 20;
    for (int step = 0; step < 100; ++step) {
        for (std::size_t i = 0; i < items.size(); ++i)
            costs[i] += items[i] == 1 ? 0.05 : 0;
        for (double& each : kept)
            each += world_rank() == 0 ? 0.05 : 0;
        double largest[] = {seconds(kept), seconds(costs)};
        advisor.step(largest[1]);
        MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        never += largest[0];
        advised += largest[1];
        if (!advisor.worth_it()) continue;
        Report report = rebalance(MPI_COMM_WORLD, items, costs);
        report.seconds_planning = 0.25 * cost;
        report.seconds_moving = 0.75 * cost;
        advisor.balanced(report);
        advised += cost;
        EXPECT_EQ(cost, report.seconds_planning + report.seconds_moving);
    }
    same_everywhere(advised);
    if (world_size() == 1) {
        EXPECT_EQ(0, advisor.balances());
        EXPECT_EQ(never, advised);
    } else {
        EXPECT_GE(advisor.balances(), 1);
        EXPECT_NEAR(cost, advisor.worth_it().cost.value(), 1e-9);
        EXPECT_LT(advised, 0.9 * never);
    }
}

TEST(AdvisorOnRanks, RefusesSecondsThatCannotBeOnEveryRank) {
    Advisor advisor(MPI_COMM_WORLD);
    for (int failing = 0; failing < world_size(); ++failing) {
        for (const double bad : {-1.0, 1e300, std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()}) {
            const std::string named = "rank " + std::to_string(failing) + ": ";
            const bool here = failing == world_rank();
            expect_same_error(mpi::Failure::input, named, [&] { advisor.step(here ? bad : 1); });
            const std::int64_t steps = advisor.steps();
            advisor.balanced(here ? bad : 1);
            expect_same_error(mpi::Failure::input, "seconds of a balance",
                              [&] { advisor.step(1); });
            EXPECT_EQ(steps, advisor.steps());
            advisor.step(1);
            EXPECT_EQ(steps + 1, advisor.steps());
        }
    }
    EXPECT_EQ(4 * world_size(), advisor.balances());
}

TEST(AdvisorOnRanks, ReportsFailuresOfTheCallerOnEveryRank) {
    Advisor advisor(MPI_COMM_WORLD);
    for (int failing = 0; failing < world_size(); ++failing) {
        engine::LocalFailure failure;
        if (failing == world_rank()) failure.note(engine::LocalFailure::Kind::input, "no clock");
        expect_same_error(mpi::Failure::input, "no clock", [&] { advisor.step(1, failure); });
    }
    advisor.step(1);
    EXPECT_EQ(1, advisor.steps());
}

TEST(AdvisorOnRanks, NoticesThatNotAllRanksWereToldOfABalance) {
    for (int failing = 1; failing < world_size(); ++failing) {
        Advisor advisor(MPI_COMM_WORLD);
        advisor.step(1);
        if (world_rank() == failing) advisor.balanced(1);
        expect_same_error(
            mpi::Failure::differing,
            "a step of an advisor after 1 step and 1 balance, but rank 0: a step of an "
            "advisor after 1 step and 0 balances",
            [&] { advisor.step(1); });
        if (world_rank() != failing) advisor.balanced(1);
        advisor.step(1);
        EXPECT_EQ(2, advisor.steps());
    }
}

TEST(AdvisorOnRanks, NeedsACommunicator) {
    EXPECT_THROW(Advisor(MPI_COMM_NULL), InputError);
}

}  // namespace
}  // namespace equipoise::balancer
