#include "benchmarks/reassign/leaders.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "equipoise/base/random.hpp"
#include "equipoise/reassign/checks/leaders.hpp"
#include "equipoise/reassign/leaders/decide.hpp"
#include "equipoise/reassign/plan.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::benchmarks {

namespace {

using namespace equipoise::reassign;

constexpr std::uint32_t copies_each = 3;

/// Groups of three items on machines drawn at random, of which the one with the least number leads:
/// what is left when machines have been restarted one after the other. Of `spare` percent of the
/// machines nobody leads, and they hold the copies of a tenth of the groups only.
Problem drawn_groups(std::uint32_t groups, std::uint32_t machines, std::uint32_t spare) {
    RandomStream random(1, Purpose::sampling);
    Problem problem;
    problem.resources = {{"items"}};
    for (std::uint32_t machine = 0; machine < machines; ++machine)
        problem.machines.number_of("m" + std::to_string(machine));
    problem.item_labels.push_back({"item", {}, {}});
    const std::uint32_t usual = machines - machines * spare / 100;
    for (std::uint32_t group = 0; group < groups; ++group) {
        const std::uint32_t among = random.below(10) == 0 ? machines : usual;
        std::vector<MachineId> places;
        while (places.size() < copies_each) {
            const auto place = static_cast<MachineId>(random.below(among));
            if (std::find(places.begin(), places.end(), place) == places.end())
                places.push_back(place);
        }
        std::sort(places.begin(), places.end());
        const std::uint32_t thing = problem.things.number_of("g" + std::to_string(group));
        for (const MachineId place : places) {
            problem.thing.push_back(thing);
            problem.places.push_back(place);
            problem.leads.push_back(place == places.front());
            problem.amounts.push_back(1);
        }
    }
    problem.item_labels[0].values = problem.things;
    problem.item_labels[0].of = problem.thing;
    problem.capacities.assign(machines, tokens_max);
    problem.thresholds = problem.capacities;
    problem.drained.assign(machines, false);
    problem.pinned.assign(machines, false);
    problem.speeds.assign(machines, 1);
    problem.apart.push_back({0});
    problem.leaders_tolerance = 0;
    problem.given_ends = problem.places;
    return problem;
}

/// Group by group: a leader above its machine's limit goes to that copy whose machine leads fewest,
/// if this is below its limit; again as long as one goes.
std::vector<LeaderChange> greedy_changes(const Problem& problem) {
    const Leaders before = leaders_of(problem);
    Leaders leaders = before;
    std::vector<Tokens> led = stand_leaders(problem, problem.places, leaders).led;
    const std::vector<Tokens> limits = problem.leader_limits();
    for (bool any = true; std::exchange(any, false);) {
        for (std::uint32_t group = 0; group < problem.things.size(); ++group) {
            const MachineId from = problem.places[leaders[group]];
            if (led[from] <= limits[from]) continue;
            ItemId best = leaders[group];
            for (ItemId item = group * copies_each; item < (group + 1) * copies_each; ++item)
                if (led[problem.places[item]] < led[problem.places[best]]) best = item;
            const MachineId to = problem.places[best];
            if (led[to] >= limits[to]) continue;
            --led[from];
            ++led[to];
            leaders[group] = best;
            any = true;
        }
    }
    std::vector<LeaderChange> changes;
    for (std::uint32_t group = 0; group < problem.things.size(); ++group)
        if (leaders[group] != before[group])
            changes.push_back({group, before[group], leaders[group]});
    return changes;
}

/// Of processor time; nothing here runs on several threads.
template <class Act>
double seconds_of(const Act& act) {
    const std::clock_t start = std::clock();
    act();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

void compare_leaders() {
    fmt::print("{:>9} {:>8} {:>6} {:>12} | {:>8} {:>6} {:>8} {:>8} | {:>8} {:>6}\n", "groups",
               "machines", "spare", "above before", "change", "above", "flow, s", "plan, s",
               "greedy", "above");
    const std::pair<std::uint32_t, std::uint32_t> sizes[] = {
        {10'000, 30}, {100'000, 100}, {100'000, 1'000}, {1'000'000, 1'000}};
    for (const auto& [groups, machines] : sizes)
        for (const std::uint32_t spare : {0U, 50U}) {
            const Problem problem = drawn_groups(groups, machines, spare);
            LeaderPlan found;
            const double flow =
                seconds_of([&] { found = decide_leaders(problem, problem.places); });
            Plan plan;
            const double seconds = seconds_of([&] { plan = make_plan(problem, {}); });
            const std::vector<LeaderChange> greedy = greedy_changes(problem);
            const LeaderStanding stands = stand_leaders(
                problem, problem.places, replay_leaders(problem, problem.places, greedy).leaders);
            fmt::print("{:>9} {:>8} {:>5}% {:>12} | {:>8} {:>6} {:>8.2f} {:>8.2f} | {:>8} {:>6}\n",
                       groups, machines, spare, plan.led_before.over, plan.leaders.size(),
                       plan.led_after.over, flow, seconds, greedy.size(), stands.over);
        }
}

}  // namespace equipoise::benchmarks
