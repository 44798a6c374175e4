// Plans for Kafka-like clusters beside the rule of Kafka's generator and a greedy mover: replicas
// moved, bytes, waves, the fullest broker, rules broken in the end.
// usage: reassign [EFFORT [BROKERS ...]]    (iterations: 300000; brokers: 10 30 100 300 1000)
//        reassign leaders                   leaders of many groups

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/reassign/clusters.hpp"
#include "benchmarks/reassign/leaders.hpp"
#include "benchmarks/reassign/peers.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/plan.hpp"
#include "equipoise/reassign/schedule/schedule.hpp"

namespace {

using namespace equipoise;
using namespace equipoise::reassign;
using equipoise::benchmarks::bytes_resource;

/// What the fullest broker holds, in proportion to its share.
double fullest(const Problem& problem, const Standing& standing) {
    const Problem::Shares shares = problem.shares(bytes_resource);
    double most = 0;
    for (MachineId broker = 0; broker < problem.machine_count(); ++broker)
        if (problem.may_take(broker))
            most = std::max(most,
                            static_cast<double>(
                                standing.used[broker * problem.resource_count() + bytes_resource]) /
                                shares.of(broker));
    return most;
}

void print_row(const Problem& problem, const std::string& name, std::span<const Move> moves,
               double seconds, const std::string& note) {
    const Replayed replayed = replay(problem, moves);
    fmt::print("  {:<16} {:>7} {:>9} {:>6} {:>8.2f} {:>7} {:>9.2f}  {}\n", name, replayed.moved[0],
               amount_text(problem.resources[bytes_resource], replayed.moved[bytes_resource]),
               replayed.waves, fullest(problem, replayed.end), replayed.end.broken.size(), seconds,
               replayed.allowed ? note : replayed.fault);
}

template <class Act>
double seconds_of(const Act& act) {
    const auto start = std::chrono::steady_clock::now();
    act();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void print_placement(const Problem& problem, const std::string& name,
                     const std::vector<MachineId>& places, double seconds) {
    const Schedule schedule = schedule_moves(problem, places, {});
    print_row(problem, name, schedule.moves, seconds,
              schedule.complete ? "" : fmt::format("{} blocked", schedule.blocked.size()));
}

void compare(const Problem& problem, std::uint64_t effort) {
    fmt::print("  {:<16} {:>7} {:>9} {:>6} {:>8} {:>7} {:>9}\n", "", "moves", "moved", "waves",
               "fullest", "broken", "seconds");
    SearchOptions options;
    options.seconds = {};
    options.effort = effort;
    options.threads = 2;
    Plan plan;
    const double seconds = seconds_of([&] { plan = make_plan(problem, options); });
    print_row(
        problem, "reassign", plan.moves, seconds,
        fmt::format("every plan: {} or more, {} waves",
                    amount_text(problem.resources[bytes_resource], plan.at_least.fewest.at_least),
                    static_cast<std::int64_t>(plan.at_least.waves.at_least)));
    std::vector<MachineId> places;
    const double greedy = seconds_of([&] { places = benchmarks::greedy_places(problem); });
    print_placement(problem, "greedy mover", places, greedy);
    const double generated = seconds_of([&] { places = benchmarks::generated_places(problem, 1); });
    print_placement(problem, "Kafka's rule", places, generated);
}

}  // namespace

int main(int count, char** arguments) {
    if (count == 2 && std::string(arguments[1]) == "leaders") {
        benchmarks::compare_leaders();
        return 0;
    }
    const std::uint64_t effort = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 300'000;
    std::vector<std::uint32_t> sizes = {10, 30, 100, 300, 1000};
    if (count > 2) sizes.clear();
    for (int i = 2; i < count; ++i)
        sizes.push_back(static_cast<std::uint32_t>(std::strtoul(arguments[i], nullptr, 10)));
    for (const std::uint32_t brokers : sizes)
        for (const benchmarks::Change& change :
             {benchmarks::Change{"10 % added", 0, 10}, benchmarks::Change{"10 % drained", 10, 0}}) {
            const std::uint32_t racks = brokers < 300 ? 5 : 10;
            const Problem problem = benchmarks::kafka_cluster(brokers, racks, change, 1);
            fmt::print("{} brokers in {} racks, {} replicas, {}; the fullest at {:.2f}\n", brokers,
                       racks, problem.item_count(), change.name,
                       fullest(problem, stand(problem, problem.places)));
            compare(problem, effort);
        }
    return 0;
}
