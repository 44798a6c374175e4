#include "equipoise/placement/advisor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/placement/best_schedule.hpp"

namespace equipoise::placement {
namespace {

// A run that does as it is told: `level(after, step)` is that of a step if the last balance was
// made after step `after`; steps have an average of 1.
struct Played {
    double seconds = 0;
    double never = 0;  ///< what the steps take without any balance
    std::vector<std::size_t> balances = {};
};
template <class Level>
Played run(std::size_t steps, double cost, const Level& level) {
    Played result;
    Advisor advisor;
    std::size_t last = 0;
    double total = 0;
    for (std::size_t step = 1; step <= steps; ++step) {
        const double largest = level(last, step);
        total += largest;
        result.seconds += largest;
        result.never += level(std::size_t{0}, step);
        advisor.step(largest, 1, total);
        if (!advisor.worth_it()) continue;
        advisor.balanced(cost);
        total = 0;
        result.seconds += cost;
        result.balances.push_back(step);
        last = step;
    }
    return result;
}

template <class Level>
double best(std::size_t steps, double cost, const Level& level) {
    return best_schedule(std::vector<double>(steps, cost),
                         [&](std::size_t after, std::span<double> seconds) {
                             for (std::size_t i = 0; i < seconds.size(); ++i)
                                 seconds[i] = level(after, after + 1 + i);
                         })
        .seconds;
}

// The theorem, against every adversary of a few steps: it chooses what each step takes, what it
// would take without any balance, and what balances cost.
class Adversary {
  public:
    void play(std::size_t steps) { play(Advisor(), {}, steps); }
    std::int64_t runs = 0;      ///< that met what the theorem supposes
    std::int64_t balances = 0;  ///< the most in one of these
    double worst = 0;           ///< how far a run fell behind, in costs of its costliest balance

  private:
    struct Times {
        double saved = 0;      // by all steps, compared with never balancing
        double credited = 0;   // before the last balance
        double spent = 0;      // on balances
        double costliest = 0;  // balance
        double total = 0;      // the largest of a rank since the last balance
    };
    static constexpr std::array<double, 3> levels = {1, 1.5, 3};
    static constexpr std::array<double, 2> costs = {0.5, 2};

    void play(const Advisor& advisor, const Times& times, std::size_t steps) {
        if (times.costliest > 0)
            worst = std::max(worst, (times.spent - times.saved) / times.costliest);
        if (steps == 0) {
            ++runs;
            balances = std::max(balances, advisor.balances());
            return;
        }
        for (const double level : levels)
            play(advisor, times, steps, level, times.total + level);
        // The rank with the most work has no more than the average in this step.
        if (times.total >= 2) play(advisor, times, steps, levels.back(), times.total + 1);
    }

    void play(const Advisor& advisor, const Times& before, std::size_t steps, double level,
              double total) {
        Times times = before;
        times.total = total;
        Advisor next = advisor;
        next.step(level, 1, total);
        const bool told = bool(next.worth_it());
        for (const double never : levels) {
            // (a), and before the first balance there is no difference.
            if (never < level || (advisor.balances() == 0 && never > level)) continue;
            Times then = times;
            then.saved += never - level;
            if (!told) {
                play(next, then, steps - 1);
                continue;
            }
            // (b): at a balance, the credits so far were saved; the last balance did no harm.
            if (next.harm() > 0) continue;
            const double credits = next.account() + then.spent;
            if (credits < then.credited || then.saved < credits - 1e-9) continue;
            then.credited = credits;
            for (const double cost : costs) {
                Advisor after = next;
                after.balanced(cost);
                Times paid = then;
                paid.spent += cost;
                paid.total = 0;
                paid.costliest = std::max(paid.costliest, cost);
                play(after, paid, steps - 1);
            }
        }
    }
};

TEST(TheTheorem, HoldsAgainstEveryAdversaryOfAFewSteps) {
    Adversary adversary;
    adversary.play(7);
    EXPECT_LE(adversary.worst, 1 + 1e-9);
    EXPECT_GT(adversary.runs, 10'000);
    EXPECT_GE(adversary.balances, 3);
}

// Levels that grow by `slope` a step since the last balance, from `from` after one and from `first`
// at the start.
struct Drift {
    double first = 1;
    double from = 1;
    double slope = 0;
    double operator()(std::size_t after, std::size_t step) const {
        return (after == 0 ? first : from) + slope * (static_cast<double>(step - after) - 0.5);
    }
};

TEST(Advisor, IsNeverMoreThanOneTrialSlowerThanNeverBalancingUnderADrift) {
    for (const double first : {1.0, 1.2, 2.0}) {
        for (const double from : {1.0, 1.1, 1.2}) {
            for (const double slope : {0.0, 0.001, 0.01, 0.1, 1.0}) {
                for (const double cost : {0.0, 0.1, 1.0, 10.0}) {
                    for (const std::size_t steps : {1U, 3U, 10U, 100U}) {
                        if (first < from) continue;
                        const Played played = run(steps, cost, Drift{first, from, slope});
                        EXPECT_LE(played.seconds, played.never + cost + 1e-9)
                            << first << ' ' << from << ' ' << slope << ' ' << cost << ' ' << steps;
                    }
                }
            }
        }
    }
}

TEST(Advisor, FindsTheBestPeriodOfADrift) {
    for (const double slope : {0.002, 0.01, 0.05}) {
        for (const double cost : {0.2, 1.0, 5.0}) {
            const Played played = run(2000, cost, Drift{1, 1, slope});
            ASSERT_GE(played.balances.size(), 4U);
            const double period = std::sqrt(2 * cost / slope);
            const std::size_t last = played.balances.size() - 1;
            const auto found =
                static_cast<double>(played.balances[last] - played.balances[last - 1]);
            EXPECT_NEAR(period, found, 1 + period / 20);
        }
    }
}

TEST(Advisor, IsWithinAFewPercentOfTheBestScheduleUnderADrift) {
    for (const double slope : {0.002, 0.01, 0.05}) {
        for (const double cost : {0.2, 1.0, 5.0}) {
            const Drift drift{1.3, 1, slope};
            EXPECT_LE(run(400, cost, drift).seconds, 1.05 * best(400, cost, drift));
        }
    }
}

TEST(Advisor, TriesOnlyOnceWhereNothingCanBeGained) {
    const Played played = run(10'000, 1, [](std::size_t, std::size_t) { return 2.0; });
    EXPECT_EQ(1U, played.balances.size());
}

TEST(Advisor, TriesAgainWhenTheLevelRisesLongAfterAVainTrial) {
    const Played played = run(300, 5, [](std::size_t after, std::size_t step) {
        if (step <= 200) return 1.2;
        return after > 200 ? 1.2 : 3;
    });
    ASSERT_EQ(2U, played.balances.size());
    EXPECT_LE(played.balances[0], 10U);
    // Each step is 1.8 above what it was: it takes three for harm beyond the cost.
    EXPECT_EQ(203U, played.balances[1]);
}

TEST(Advisor, TriesAfterTheStepsHaveWastedOneStep) {
    Advisor advisor;
    for (int step = 1; step < 4; ++step) {
        advisor.step(1.25, 1, 1.25 * step);
        EXPECT_FALSE(advisor.worth_it());
        EXPECT_FALSE(advisor.worth_it().cost);
        EXPECT_DOUBLE_EQ(0.25 * step, advisor.worth_it().gain);
    }
    advisor.step(1.25, 1, 5);
    EXPECT_TRUE(advisor.worth_it());
}

TEST(Advisor, KnowsTheTotalsOfRanksThatAreNamed) {
    Advisor named;
    Advisor told;
    const std::vector<std::vector<double>> steps = {{3, 1, 2}, {2, 6, 1}, {0, 0, 0}, {4, 1, 1}};
    named.step(steps[0]);
    named.balanced(1);
    told.step(3, 2, 3);
    told.balanced(1);
    const std::vector<double> most = {6, 6, 7};
    for (std::size_t i = 1; i < steps.size(); ++i) {
        named.step(steps[i]);
        told.step(*std::max_element(steps[i].begin(), steps[i].end()),
                  (steps[i][0] + steps[i][1] + steps[i][2]) / 3, most[i - 1]);
        EXPECT_EQ(told.worth_it().gain, named.worth_it().gain);
        EXPECT_EQ(told.account(), named.account());
    }
    EXPECT_THROW(named.step(std::vector<double>{1, 2}), InputError);
}

TEST(Advisor, DoesNotTryWhereTheSlowestRankIsAnotherInEveryStep) {
    Advisor advisor;
    for (std::size_t step = 0; step < 1000; ++step) {
        std::vector<double> seconds(7, 1);
        seconds[step % 7] = 2;
        advisor.step(seconds);
        EXPECT_FALSE(advisor.worth_it()) << step;
    }
}

TEST(Advisor, NeverBalancesLevelSteps) {
    EXPECT_TRUE(run(1000, 0, [](std::size_t, std::size_t) { return 1.0; }).balances.empty());
}

TEST(Advisor, SaysWhenABalanceHasPaidForItself) {
    Advisor advisor;
    advisor.step(3, 1, 3);
    advisor.balanced(4);
    EXPECT_EQ(-4, advisor.account());
    for (int step = 1; step <= 6; ++step)
        advisor.step(1, 1, step);
    EXPECT_DOUBLE_EQ(8, advisor.account());
    // A jump of the level from 1 to 5: 4 a step are there to be saved, and more by the line.
    advisor.step(5, 1, 11);
    const Advice advice = advisor.worth_it();
    ASSERT_TRUE(advice);
    EXPECT_DOUBLE_EQ(4, *advice.cost);
    EXPECT_GE(advice.gain, 4);
    ASSERT_TRUE(advice.break_even_step);
    EXPECT_GT(*advice.break_even_step, 8);
    // It is the first step by which the saving reaches the cost.
    const double a_step = advice.gain / 7;
    EXPECT_GE(a_step * static_cast<double>(*advice.break_even_step - 8), 4 - 1e-9);
    EXPECT_LT(a_step * static_cast<double>(*advice.break_even_step - 9), 4);
}

TEST(Advisor, LearnsWhatABalanceCosts) {
    Advisor advisor;
    advisor.step(2, 1, 2);
    for (const auto& [paid, expected] :
         std::vector<std::pair<double, double>>{{4, 4}, {2, 3}, {1, 2}, {0, 1}}) {
        advisor.balanced(paid);
        EXPECT_DOUBLE_EQ(expected, *advisor.worth_it().cost);
    }
    EXPECT_EQ(4, advisor.balances());
    EXPECT_FALSE(advisor.worth_it());
}

TEST(Advisor, DoesNotDependOnTheUnitOfTime) {
    const auto level = [](std::size_t after, std::size_t step) {
        return 1 + 0.02 * static_cast<double>(step - after) +
               0.3 * static_cast<double>(step * 7919 % 13) / 13;
    };
    Advisor seconds;
    Advisor units;
    const double unit = 1024;
    std::size_t last = 0;
    double total = 0;
    for (std::size_t step = 1; step <= 300; ++step) {
        total += level(last, step);
        seconds.step(level(last, step), 1, total);
        units.step(unit * level(last, step), unit, unit * total);
        const Advice advice = seconds.worth_it();
        const Advice scaled = units.worth_it();
        ASSERT_EQ(advice.worth_it, scaled.worth_it) << step;
        ASSERT_EQ(unit * advice.gain, scaled.gain) << step;
        ASSERT_EQ(advice.break_even_step, scaled.break_even_step) << step;
        if (!advice) continue;
        seconds.balanced(1.5);
        units.balanced(1.5 * unit);
        last = step;
        total = 0;
    }
    EXPECT_GT(last, 0U);
}

TEST(Advisor, TakesStepsWithoutWork) {
    Advisor advisor;
    advisor.step(0, 0, 0);
    EXPECT_FALSE(advisor.worth_it());
    advisor.balanced(1);
    advisor.step(0, 0, 0);
    EXPECT_FALSE(advisor.worth_it());
    EXPECT_EQ(0, advisor.worth_it().gain);
    advisor.balanced(0);
    EXPECT_EQ(-1, advisor.account());
    EXPECT_EQ(2, advisor.steps());
}

TEST(Advisor, RefusesSecondsThatCannotBe) {
    Advisor advisor;
    const double infinite = std::numeric_limits<double>::infinity();
    EXPECT_THROW(advisor.step(1, 2, 2), InputError);
    EXPECT_THROW(advisor.step(1, -1, 1), InputError);
    EXPECT_THROW(advisor.step(2, 1, 1.5), InputError);
    EXPECT_THROW(advisor.step(infinite, 1, infinite), InputError);
    EXPECT_THROW(advisor.step(std::nan(""), 1, 1), InputError);
    EXPECT_THROW(advisor.step(1, 1, std::nan("")), InputError);
    EXPECT_THROW(advisor.step({}), InputError);
    EXPECT_THROW(advisor.step(std::vector<double>{1, -1}), InputError);
    EXPECT_THROW(advisor.step(std::vector<double>{1, infinite}), InputError);
    EXPECT_THROW(advisor.balanced(-1), InputError);
    EXPECT_THROW(advisor.balanced(infinite), InputError);
    EXPECT_EQ(0, advisor.steps());
    EXPECT_EQ(0, advisor.balances());
}

}  // namespace
}  // namespace equipoise::placement
