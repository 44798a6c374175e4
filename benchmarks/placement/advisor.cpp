// When to balance: the advisor beside the best schedule known afterwards (dynamic programming),
// never balancing, every k steps for the best k known afterwards, and a threshold on the largest
// load over the average for the best threshold known afterwards.
//
// A balance after step b places the items as Equipoise does, by the weights of step b and from
// where they began; so a step takes what the last balance makes of it. A balance costs 0.2, 1 or 5
// average steps.
// Made traces have 32 ranks of 20 items and 200 steps; five seeds of each.
// usage: placement_advisor [FOLDER of vt-8color-32ranks and vt-toy [FIRST_SEED]]

#include "equipoise/placement/advisor.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "benchmarks/placement/instances.hpp"
#include "benchmarks/placement/ours.hpp"
#include "equipoise/placement/best_schedule.hpp"

namespace {

using namespace equipoise;
using namespace equipoise::benchmarks;

/// What each step takes, given after which step the last balance was made.
struct Course {
    std::string name;
    std::vector<std::vector<double>> seconds;     ///< [last balance][step - 1]
    std::vector<std::vector<double>> most_since;  ///< the same: of a rank, since the last balance
    std::vector<double> average;                  ///< of each step
    [[nodiscard]] std::size_t steps() const { return average.size(); }
};

Course course_of(const Trace& trace) {
    Course course{trace.name, {}, {}, {}};
    for (std::size_t last = 0; last < trace.steps(); ++last) {
        std::vector<int> rank = trace.rank;
        if (last > 0)
            rank = ours({trace.weights[last - 1], trace.rank, trace.fixed[last - 1]}, {}, 0);
        std::vector<double>& seconds = course.seconds.emplace_back(trace.steps());
        std::vector<double>& most_since = course.most_since.emplace_back(trace.steps());
        std::vector<double> total(trace.ranks(), 0);
        for (std::size_t step = last; step < trace.steps(); ++step) {
            const std::vector<double> loads =
                peers::loads_of({trace.weights[step], trace.rank, trace.fixed[step]}, rank);
            seconds[step] = *std::max_element(loads.begin(), loads.end());
            std::transform(loads.begin(), loads.end(), total.begin(), total.begin(), std::plus<>());
            most_since[step] = *std::max_element(total.begin(), total.end());
            if (last == 0)
                course.average.push_back(std::accumulate(loads.begin(), loads.end(), 0.0) /
                                         static_cast<double>(loads.size()));
        }
    }
    return course;
}

struct Outcome {
    double seconds = 0;
    std::size_t balances = 0;
};

/// Plays a rule: `wants(step, seconds, last)` says whether to balance after a step that took that.
template <class Wants>
Outcome play(const Course& course, double cost, const Wants& wants) {
    Outcome outcome;
    std::size_t last = 0;
    for (std::size_t step = 1; step <= course.steps(); ++step) {
        const double seconds = course.seconds[last][step - 1];
        outcome.seconds += seconds;
        if (!wants(step, seconds, last) || step == course.steps()) continue;
        outcome.seconds += cost;
        ++outcome.balances;
        last = step;
    }
    return outcome;
}

Outcome advised(const Course& course, double cost) {
    placement::Advisor advisor;
    return play(course, cost, [&](std::size_t step, double seconds, std::size_t last) {
        advisor.step(seconds, std::min(course.average[step - 1], seconds),
                     course.most_since[last][step - 1]);
        const bool worth_it = bool(advisor.worth_it());
        if (worth_it) advisor.balanced(cost);
        return worth_it;
    });
}

double best_period(const Course& course, double cost) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t k = 1; k <= course.steps(); ++k)
        best = std::min(best, play(course, cost, [k](std::size_t step, double, std::size_t) {
                                  return step % k == 0;
                              }).seconds);
    return best;
}

double best_threshold(const Course& course, double cost) {
    double best = std::numeric_limits<double>::infinity();
    for (int percent = 1; percent <= 300; ++percent)
        best =
            std::min(best, play(course, cost, [&](std::size_t step, double seconds, std::size_t) {
                               return seconds > (1 + 0.01 * percent) * course.average[step - 1];
                           }).seconds);
    return best;
}

/// The mean and the largest of some numbers.
struct Spread {
    double sum = 0;
    double most = -std::numeric_limits<double>::infinity();
    double count = 0;
    void add(double number) {
        sum += number;
        most = std::max(most, number);
        ++count;
    }
    [[nodiscard]] double mean() const { return sum / count; }
};

/// Prints a row for each cost, of courses that differ in their seeds only; returns how far the
/// advisor fell behind never balancing at worst, in costs of a balance.
double print(std::span<const Course> courses) {
    double worst = -std::numeric_limits<double>::infinity();
    for (const double factor : {0.2, 1.0, 5.0}) {
        Spread best_level;
        Spread best_balances;
        Spread balances;
        Spread advisor;
        Spread never;
        Spread every;
        Spread threshold;
        Spread behind;
        for (const Course& course : courses) {
            const double work = std::accumulate(course.average.begin(), course.average.end(), 0.0);
            const double cost = factor * work / static_cast<double>(course.steps());
            const placement::Schedule best = placement::best_schedule(
                std::vector<double>(course.steps(), cost),
                [&](std::size_t after, std::span<double> seconds) {
                    std::copy(course.seconds[after].begin() + static_cast<std::ptrdiff_t>(after),
                              course.seconds[after].end(), seconds.begin());
                });
            const auto above = [&](double seconds) { return 100 * (seconds / best.seconds - 1); };
            const Outcome ours = advised(course, cost);
            const double none =
                play(course, cost, [](std::size_t, double, std::size_t) { return false; }).seconds;
            best_level.add(best.seconds / work);
            best_balances.add(static_cast<double>(best.balances.size()));
            balances.add(static_cast<double>(ours.balances));
            advisor.add(above(ours.seconds));
            never.add(above(none));
            every.add(above(best_period(course, cost)));
            threshold.add(above(best_threshold(course, cost)));
            behind.add((ours.seconds - none) / cost);
        }
        std::printf(
            "| %s | %.1f | %.2f (%.0f) | %.1f (%.1f) | %.0f | %.1f | %.1f | %.1f | %.1f |\n",
            courses.front().name.c_str(), factor, best_level.mean(), best_balances.mean(),
            advisor.mean(), advisor.most, balances.mean(), never.mean(), every.mean(),
            threshold.mean(), behind.most);
        worst = std::max(worst, behind.most);
    }
    std::fflush(stdout);
    return worst;
}

std::vector<std::size_t> held(std::size_t times, std::size_t rounds) {
    std::vector<std::size_t> steps;
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t phase = 0; phase < 3; ++phase)
            steps.insert(steps.end(), times, phase);
    }
    return steps;
}

std::vector<Trace> vt_traces(const std::string& folder) {
    const Trace colour = read_vt(folder + "/vt-8color-32ranks", "vt 8color");
    const Trace toy = read_vt(folder + "/vt-toy", "vt toy");
    std::vector<std::size_t> goes_on(120, 2);
    goes_on[0] = 0;
    goes_on[1] = 1;
    return {
        steps_of(colour, "vt 8color, 40 each", held(40, 1)),
        steps_of(colour, "vt 8color, cycled", held(1, 40)),
        steps_of(colour, "vt 8color, last goes on", goes_on),
        steps_of(colour, "vt 8color, 10 each, cycled", held(10, 4)),
        steps_of(toy, "vt toy, held", std::vector<std::size_t>(120, 0)),
    };
}

std::vector<Trace> made_traces(std::uint64_t seed) {
    constexpr std::size_t ranks = 32;
    constexpr std::size_t items = 20;
    constexpr std::size_t steps = 200;
    std::vector<Trace> traces;
    const auto add = [&](Trace trace, const char* parameter) {
        trace.name += std::string(" ") + parameter;
        traces.push_back(std::move(trace));
    };
    add(growth(ranks, items, steps, 0.002, seed), "0.002");
    add(growth(ranks, items, steps, 0.01, seed), "0.01");
    add(growth(ranks, items, steps, 0.05, seed), "0.05");
    add(walk(ranks, items, steps, 0.01, seed), "0.01");
    add(walk(ranks, items, steps, 0.03, seed), "0.03");
    add(walk(ranks, items, steps, 0.1, seed), "0.1");
    add(hot_spot(ranks, items, steps, 0.02, seed), "0.02");
    add(hot_spot(ranks, items, steps, 0.1, seed), "0.1");
    add(hot_spot(ranks, items, steps, 0.5, seed), "0.5");
    add(spikes(ranks, items, steps, 1, seed), "1");
    add(spikes(ranks, items, steps, 5, seed), "5");
    add(spikes(ranks, items, steps, 30, seed), "30");
    add(noise(ranks, items, steps, 0.05, false, seed), "0.05");
    add(noise(ranks, items, steps, 0.3, false, seed), "0.3");
    add(noise(ranks, items, steps, 0.05, true, seed), "0.05");
    add(noise(ranks, items, steps, 0.3, true, seed), "0.3");
    return traces;
}

}  // namespace

int main(int argc, char** argv) {
    std::printf(
        "| trace | cost | best: level (balances) | advisor: %% above it, mean (most) | its "
        "balances | never | best k | best threshold | behind never, most |\n"
        "|---|---|---|---|---|---|---|---|---|\n");
    double behind = 0;
    if (argc > 1) {
        for (const Trace& trace : vt_traces(argv[1]))
            behind = std::max(behind, print(std::vector{course_of(trace)}));
    }
    const std::uint64_t first = argc > 2 ? std::stoull(argv[2]) : 1;
    std::vector<std::vector<Course>> courses;
    for (std::uint64_t seed = first; seed < first + 5; ++seed) {
        const std::vector<Trace> traces = made_traces(seed);
        courses.resize(traces.size());
        for (std::size_t i = 0; i < traces.size(); ++i)
            courses[i].push_back(course_of(traces[i]));
    }
    for (const std::vector<Course>& alike : courses)
        behind = std::max(behind, print(alike));
    std::printf("\nbehind never balancing by at most %.2f costs of a balance\n", behind);
    return 0;
}
