// Plans in waves beside greedy movers as cluster balancers use them, on the same instances.
// usage: waves_benchmark

#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "equipoise/base/random.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/waves/check.hpp"
#include "equipoise/optimum/waves/greedy.hpp"
#include "equipoise/optimum/waves/planner.hpp"

namespace {

using namespace equipoise;
using namespace equipoise::optimum;

struct Case {
    std::string name;
    ItemsProblem problem;
};

/// Items on nodes, the first nodes fuller; sizes of a long-tailed kind, or all 1.
ItemsProblem skewed(NodeId nodes, ItemId items, bool several_sizes, std::uint64_t seed) {
    RandomStream draw(seed, Purpose::sampling);
    ItemsProblem problem;
    problem.nodes = nodes;
    for (ItemId item = 0; item < items; ++item) {
        const double where = draw.unit();
        problem.places.push_back(static_cast<NodeId>(where * where * nodes));
        if (!several_sizes) continue;
        const double bell = draw.unit() + draw.unit() + draw.unit() + draw.unit() - 2;
        problem.sizes.push_back(1 + static_cast<Tokens>(std::exp(3 + 1.7 * bell)));
    }
    return problem;
}

void set_rates(ItemsProblem& problem, Tokens rate) {
    // One node in four is twice as fast.
    for (NodeId node = 0; node < problem.nodes; ++node)
        problem.gives.push_back(node % 4 == 0 ? 2 * rate : rate);
    problem.takes = problem.gives;
}

/// At most a tenth above the share; the first `drained` nodes end empty.
void set_target(ItemsProblem& problem, NodeId drained) {
    const Tokens total = load::total(problem.loads());
    const Tokens most = total * 11 / (10 * (problem.nodes - drained)) + 1;
    problem.target = at_most(problem.nodes, most);
    for (NodeId node = 0; node < drained; ++node)
        problem.target.base[node] = 0;
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const bool several : {false, true}) {
        const std::string kind = several ? "several sizes" : "one size";
        for (const NodeId drained : {0U, 1U, 10U}) {
            Case one;
            one.name =
                fmt::format("100 nodes, 20000 items, {}, {}", kind,
                            drained == 0 ? std::string("level") : fmt::format("drain {}", drained));
            one.problem = skewed(100, 20'000, several, 1);
            set_rates(one.problem, several ? 700 : 4);
            set_target(one.problem, drained);
            all.push_back(one);
        }
    }
    return all;
}

void print_row(const std::string& name, const ItemsProblem& problem,
               const std::optional<WaveSchedule>& schedule, double seconds,
               const std::string& note) {
    if (!schedule) {
        fmt::print("  {:<24} does not reach the target\n", name);
        return;
    }
    const WaveVerdict verdict = check_waves(problem, *schedule);
    fmt::print("  {:<24} {:>7} {:>7} {:>9} {:>9} {:>8.3f}  {}\n", name, verdict.moves,
               verdict.waves, verdict.size, verdict.peak, seconds,
               verdict.holds ? note : verdict.fault);
}

template <class Act>
double seconds_of(const Act& act) {
    const auto start = std::chrono::steady_clock::now();
    act();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main() {
    for (const Case& one : cases()) {
        fmt::print("{}\n  {:<24} {:>7} {:>7} {:>9} {:>9} {:>8}\n", one.name, "", "moves", "waves",
                   "size", "peak", "seconds");
        WavesPlan plan;
        const double seconds = seconds_of([&] { plan = plan_waves(one.problem); });
        print_row("plan (" + plan.method + ")", one.problem, plan.schedule, seconds,
                  fmt::format("at least {} moves, {} waves", plan.at_least.moves,
                              plan.wave_bound.waves()));
        for (const std::uint64_t at_a_time : {0, 32, 8, 2, 1}) {
            std::optional<WaveSchedule> schedule;
            const double greedy =
                seconds_of([&] { schedule = greedy_waves(one.problem, at_a_time); });
            print_row(at_a_time == 0 ? "greedy, as rates allow"
                                     : fmt::format("greedy, {} at a time", at_a_time),
                      one.problem, schedule, greedy, "");
        }
    }
    return 0;
}
