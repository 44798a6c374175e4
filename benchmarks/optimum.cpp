// Fewest steps and fewest exchanges: how long they take, with how much memory, and how the plain
// approach compares. The plain approach expands every step (as the paper's proof does) and hands
// the network to a solver of LEMON (Preflow) or Boost (push_relabel_max_flow), once for the answer
// and once for one step less.
//
// Every line is a process of its own, so that its processor time and its memory are its own.
// usage: optimum [POWER_GRID.graph]     with a network file: 50,000 Zipf tokens on it
// Cases that take more than 15 minutes are given up.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "equipoise/base/random.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/network/io/read.hpp"
#include "equipoise/optimum/exchanges/minimum_exchanges.hpp"
#include "equipoise/optimum/flows/flow_network.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/steps/layered_network.hpp"
#include "equipoise/optimum/steps/minimum_steps.hpp"
#include "tests/support/distribution_instances.hpp"

namespace {

using namespace equipoise;
using namespace equipoise::optimum;

struct Cost {
    double seconds = 0;            ///< of the wall
    double processor_seconds = 0;  ///< of the process
    double mebibytes = 0;          ///< at the highest
    bool done = false;
};

/// What the program is asked to run: everything, or one case in a process of its own.
struct Asked {
    std::string one_case;    ///< empty: everything
    std::string power_grid;  ///< a file; empty: left out
};

/// The cases, each run by this program in a new process.
class Cases {
  public:
    explicit Cases(Asked asked) : asked_(std::move(asked)) {}

    [[nodiscard]] bool all() const { return asked_.one_case.empty(); }

    /// Prints the result and the cost of a case or, in the process for that case, computes it.
    template <class Work>
    Cost measure(const std::string& what, const Work& work) {
        if (!all()) {
            if (what == asked_.one_case) std::printf("%-26s ", work().c_str());
            return {};
        }
        std::printf("%-52s ", what.c_str());
        std::fflush(stdout);
        const auto start = std::chrono::steady_clock::now();
        std::vector<std::string> words = {"optimum", "--case", what, asked_.power_grid};
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        pid_t child = 0;
        int status = -1;
        rusage usage{};
        if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments.data(), environ) == 0)
            wait4(child, &status, 0, &usage);
        Cost cost;
        cost.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const auto seconds = [](const timeval& time) {
            return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
        };
        cost.processor_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
        cost.mebibytes = static_cast<double>(usage.ru_maxrss) / 1024;
        cost.done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (!cost.done) std::printf("%-26s ", "given up");
        std::printf("%8.2f s  %8.2f s of processor  %7.0f MiB\n", cost.seconds,
                    cost.processor_seconds, cost.mebibytes);
        return cost;
    }

    [[nodiscard]] const std::string& power_grid() const { return asked_.power_grid; }

  private:
    Asked asked_;
};

Problem two_sided(const network::Network& network, const load::Loads& loads) {
    return {&network, loads, floor_or_ceiling(loads), {}, {}, {}};
}

/// The fewest steps, with a schedule; both proofs are checked.
std::string solve(const Problem& problem) {
    const EnclosedSteps result = minimum_steps(problem);
    if (!result.exact()) return std::to_string(result.at_least) + " steps or more";
    const Schedule schedule = unit_steps(result.steps, problem.network->node_count());
    const bool holds =
        check_schedule(problem, schedule).holds &&
        (result.certificate.empty() || check_certificate(problem, result.certificate).empty());
    return std::to_string(result.at_least) + " steps" + (holds ? "" : ", REFUTED");
}

/// Acceptance list and random instances.
std::string solve_many() {
    std::uint64_t wrong = 0;
    std::uint64_t solved = 0;
    const auto expect = [&](const network::Network& network, const load::Loads& loads,
                            FinalLoads target, const Step* steps) {
        const Problem problem{&network, loads, std::move(target), {}, {}, {}};
        const EnclosedSteps result = minimum_steps(problem);
        const Schedule schedule = unit_steps(result.steps, network.node_count());
        ++solved;
        if (!result.exact() || !check_schedule(problem, schedule).holds ||
            (steps != nullptr && result.at_least != *steps))
            ++wrong;
    };
    for (const test::DistributionInstance& known : test::known_distributions()) {
        expect(known.network, known.loads, exact_up_to(known.loads, 0), &known.steps);
        expect(known.network, known.loads, exact_up_to(known.loads, 1), &known.steps_one_above);
        expect(known.network, known.loads, floor_or_ceiling(known.loads), &known.steps_two_sided);
    }
    RandomStream random(1, Purpose::sampling);
    for (int i = 0; i < 100; ++i) {
        const auto [network, loads] = test::random_distribution(64, random);
        expect(network, loads, floor_or_ceiling(loads), nullptr);
    }
    return std::to_string(solved) + " solved, " + std::to_string(wrong) + " wrong";
}

/// A square block of full nodes in the corner of a mesh, average 4.
load::Loads block_loads(NodeId side, NodeId block) {
    load::Loads loads(side * side, 0);
    for (NodeId row = 0; row < block; ++row)
        for (NodeId column = 0; column < block; ++column)
            loads[row * side + column] = Tokens{4} * side * side / (block * block);
    return loads;
}

std::int64_t maximum_flow_by_boost(const FlowNetwork& network) {
    using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
    using Graph = boost::adjacency_list<
        boost::vecS, boost::vecS, boost::directedS, boost::no_property,
        boost::property<
            boost::edge_capacity_t, std::int64_t,
            boost::property<boost::edge_residual_capacity_t, std::int64_t,
                            boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;
    Graph graph(network.nodes);
    const auto capacity = get(boost::edge_capacity, graph);
    const auto reverse = get(boost::edge_reverse, graph);
    // The excess of a node is the sum of what arrives, so no capacity may exceed what there is.
    std::int64_t most = 0;
    for (std::size_t arc = 0; arc < network.from.size(); ++arc)
        if (network.from[arc] == network.source) most += network.capacity[arc];
    for (std::size_t arc = 0; arc < network.from.size(); ++arc) {
        const auto there = add_edge(network.from[arc], network.to[arc], graph).first;
        const auto back = add_edge(network.to[arc], network.from[arc], graph).first;
        capacity[there] = std::min(network.capacity[arc], most);
        capacity[back] = 0;
        reverse[there] = back;
        reverse[back] = there;
    }
    return push_relabel_max_flow(graph, network.source, network.sink);
}

/// Whether `steps` are enough and one less is not, by a solver on the full expansion.
template <class Solver>
std::string confirm(const Problem& problem, Step steps, const Solver& solver) {
    const Tokens all = load::total(problem.loads);
    const auto flow_within = [&](Step within) {
        const LayeredNetwork full(problem, std::vector<Step>(within, 1));
        return solver(full.flow_network());
    };
    const bool right = flow_within(steps) == all && flow_within(steps - 1) < all;
    return std::to_string(steps) + (right ? " steps confirmed" : " steps REFUTED");
}

/// An instance whose steps are known: our method, and the plain approach with each solver.
void beside_the_plain_approach(Cases& cases, const std::string& name, const Problem& problem,
                               Step steps) {
    const Cost ours = cases.measure(name, [&] { return solve(problem); });
    const auto versus = [&](const char* solver_name, const auto& solver) {
        const Cost plain =
            cases.measure("  " + name.substr(0, name.find(',')) + " every step, " + solver_name,
                          [&] { return confirm(problem, steps, solver); });
        if (plain.done)
            std::printf("%-52s %.1f times the processor time, %.1f times the memory\n", "",
                        plain.processor_seconds / std::max(ours.processor_seconds, 1e-3),
                        plain.mebibytes / ours.mebibytes);
    };
    versus("LEMON Preflow",
           [](const FlowNetwork& network) { return maximum_flow_by_preflow(network).value; });
    versus("Boost push_relabel",
           [](const FlowNetwork& network) { return maximum_flow_by_boost(network); });
}

void power_grid(Cases& cases) {
    const network::AnyNetwork any = network::read(cases.power_grid());
    const network::Network network(any.node_count(), network::all_links(any));
    const load::Loads loads = load::make_loads("zipf:tokens=50000", any, 0);
    cases.measure("power grid, 50,000 tokens by Zipf",
                  [&] { return solve(two_sided(network, loads)); });
    cases.measure("power grid, fewest exchanges", [&] {
        return std::to_string(minimum_exchanges(network, loads).exchanges) + " exchanges";
    });
}

void million_nodes(Cases& cases) {
    cases.measure("random tree of a million nodes, fewest exchanges", [&] {
        const network::Network tree = test::stored_network("random-tree:n=1000000", 1);
        load::Loads loads(tree.node_count(), 0);
        RandomStream random(2, Purpose::loads);
        for (Tokens& tokens : loads)
            tokens = static_cast<Tokens>(random.below(100));
        const auto start = std::chrono::steady_clock::now();
        const Tokens exchanges = minimum_exchanges(tree, loads).exchanges;
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "%lld in %.2f s", static_cast<long long>(exchanges),
                      seconds);
        return std::string(text.data());
    });
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    Asked asked;
    if (words.size() == 3 && words[0] == "--case") {
        asked = {words[1], words[2]};
    } else if (!words.empty()) {
        asked.power_grid = words[0];
    }
    alarm(asked.one_case.empty() ? 0 : 900);
    Cases cases(asked);
    cases.measure("the known instances and 100 random ones", solve_many);
    const network::Network mesh_8 = test::stored_network("mesh:8x8");
    const network::Network mesh_16 = test::stored_network("mesh:16x16");
    const network::Network mesh_32 = test::stored_network("mesh:32x32");
    const network::Network mesh_64 = test::stored_network("mesh:64x64");
    beside_the_plain_approach(cases, "mesh 8x8, 256 tokens in a corner",
                              two_sided(mesh_8, test::corner_loads(64, 256)), 252);
    beside_the_plain_approach(cases, "mesh 16x16, 1,024 tokens in a corner",
                              two_sided(mesh_16, test::corner_loads(256, 1024)), 1020);
    beside_the_plain_approach(cases, "mesh 32x32, block of 8x8, average 4",
                              two_sided(mesh_32, block_loads(32, 8)), 295);
    cases.measure("mesh 64x64, 16,384 tokens in a corner",
                  [&] { return solve(two_sided(mesh_64, test::corner_loads(4096, 16384))); });
    million_nodes(cases);
    if (!asked.power_grid.empty()) power_grid(cases);
    return 0;
}
