// When to balance: the advisor beside the best schedule known afterwards (dynamic programming),
// never balancing, every k steps for the best k known afterwards, and a threshold on the largest
// load over the average for the best threshold known afterwards.
//
// A balance after step b places the items as Equipoise does, by the weights of step b (or the mean
// of 10 steps, where a row says so) and from where they began; so a step takes what the last
// balance makes of it. A balance costs 0.2, 1 or 5 average steps: figures come in threes. They are
// percents above the best schedule's seconds; lag is how many costs of a balance the advisor takes
// more than never balancing, at worst.
// Made traces have 32 ranks of 20 items and 200 steps; five seeds of each.
// usage: placement_advisor [FOLDER of vt-8color-32ranks and vt-toy [FIRST_SEED]]

#include "equipoise/placement/advisor.hpp"

#include <algorithm>
#include <array>
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

/// The mean weights of the last steps up to a given one.
std::vector<double> mean_weights(const Trace& trace, std::size_t last, std::size_t window) {
    std::vector<double> mean(trace.rank.size(), 0);
    const std::size_t first = last > window ? last - window : 0;
    for (std::size_t step = first; step < last; ++step) {
        for (std::size_t i = 0; i < mean.size(); ++i)
            mean[i] += trace.weights[step][i] / static_cast<double>(last - first);
    }
    return mean;
}

/// Balances are made by the mean weights of the last `window` steps.
Course course_of(const Trace& trace, std::size_t window) {
    Course course{trace.name, {}, {}, {}};
    for (std::size_t last = 0; last < trace.steps(); ++last) {
        std::vector<int> rank = trace.rank;
        if (last > 0) {
            const std::vector<double> weights = mean_weights(trace, last, window);
            rank = ours({weights, trace.rank, trace.fixed[last - 1]}, {}, 0);
        }
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

/// Figures of one cost, over courses that differ in their seeds only.
struct Figures {
    Spread advisor;  ///< percent above the best schedule, as the others without a word
    Spread never;
    Spread every;
    Spread threshold;
    Spread balances;
    Spread best_balances;
    Spread lag;  ///< behind never balancing, in costs of a balance

    void add(const Course& course, double factor);
};

void Figures::add(const Course& course, double factor) {
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
    advisor.add(above(ours.seconds));
    never.add(above(none));
    every.add(above(best_period(course, cost)));
    threshold.add(above(best_threshold(course, cost)));
    balances.add(static_cast<double>(ours.balances));
    best_balances.add(static_cast<double>(best.balances.size()));
    lag.add((ours.seconds - none) / cost);
}

/// Prints a row with figures for all costs; returns the largest lag.
double print(std::span<const Course> courses) {
    constexpr std::array<double, 3> factors = {0.2, 1, 5};
    std::array<Figures, factors.size()> all;
    double lag = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < factors.size(); ++i) {
        for (const Course& course : courses)
            all[i].add(course, factors[i]);
        lag = std::max(lag, all[i].lag.most);
    }
    std::printf("| %s |", courses.front().name.c_str());
    const auto print_all = [&](int digits, const auto& figure) {
        for (std::size_t i = 0; i < factors.size(); ++i)
            std::printf(i == 0 ? " %.*f" : ", %.*f", digits, figure(all[i]));
        std::printf(" |");
    };
    print_all(1, [](const Figures& figures) { return figures.advisor.mean(); });
    print_all(1, [](const Figures& figures) { return figures.advisor.most; });
    print_all(0, [](const Figures& figures) { return figures.balances.mean(); });
    print_all(0, [](const Figures& figures) { return figures.best_balances.mean(); });
    print_all(0, [](const Figures& figures) { return figures.never.mean(); });
    print_all(1, [](const Figures& figures) { return figures.every.mean(); });
    print_all(1, [](const Figures& figures) { return figures.threshold.mean(); });
    std::printf(" %.1f |\n", lag);
    std::fflush(stdout);
    return lag;
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
        "| trace | advisor | worst seed | its balances | the best's | never | best k | "
        "best threshold | lag |\n|---|---|---|---|---|---|---|---|---|\n");
    double lag = 0;
    if (argc > 1) {
        for (const Trace& trace : vt_traces(argv[1]))
            lag = std::max(lag, print(std::vector{course_of(trace, 1)}));
    }
    const std::uint64_t first = argc > 2 ? std::stoull(argv[2]) : 1;
    std::vector<std::vector<Course>> courses;
    for (std::uint64_t seed = first; seed < first + 5; ++seed) {
        const std::vector<Trace> traces = made_traces(seed);
        courses.resize(traces.size() + 2);
        for (std::size_t i = 0; i < traces.size(); ++i)
            courses[i].push_back(course_of(traces[i], 1));
        for (std::size_t i = 0; i < 2; ++i) {
            Trace noisy = noise(32, 20, 200, 0.3, i == 1, seed);
            noisy.name += " 0.3, mean of 10 steps";
            courses[traces.size() + i].push_back(course_of(noisy, 10));
        }
    }
    for (const std::vector<Course>& alike : courses)
        lag = std::max(lag, print(alike));
    std::printf("\nlags never balancing by at most %.1f costs of a balance\n", lag);
    return 0;
}
