// Messages per second in the simulation: perfect token distribution on a random tree with unit
// delays, compared with a chain of dependent random reads over as much memory. Both are measured in
// processor time. The ratio says how many reads from memory a message costs, on any machine.
//
// Usage: message_rate [nodes]

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "benchmarks/random_tree.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/programs/perfect_tree.hpp"

namespace {

using namespace equipoise;
using benchmark::processor_seconds;

/// Seconds of one read of a random cycle through `bytes` of memory.
double seconds_a_read(std::uint64_t bytes) {
    constexpr std::size_t stride = 16;  // one read a cache line
    const std::size_t lines = static_cast<std::size_t>(bytes) / (stride * sizeof(std::uint32_t));
    std::vector<std::uint32_t> next(lines * stride);
    std::vector<std::uint32_t> order(lines);
    std::iota(order.begin(), order.end(), 0U);
    RandomStream random(2, Purpose::sampling);
    for (std::size_t i = lines; i > 1; --i)
        std::swap(order[i - 1], order[random.below(i)]);
    for (std::size_t i = 0; i < lines; ++i)
        next[order[i] * stride] = order[(i + 1) % lines];
    constexpr std::uint64_t reads = 4'000'000;
    const double begin = processor_seconds();
    std::uint32_t at = 0;
    for (std::uint64_t i = 0; i < reads; ++i)
        at = next[at * stride];
    const double seconds = processor_seconds() - begin;
    return at == ~0U ? 0 : seconds / reads;
}

}  // namespace

int main(int argc, char** argv) {
    const auto nodes = static_cast<NodeId>(argc > 1 ? std::atoi(argv[1]) : 1'000'000);
    const auto [tree, loads] = benchmark::random_tree(nodes);

    const programs::PerfectTree program;
    engine::Simulation simulation(program, tree, loads);
    const double begin = processor_seconds();
    const engine::SimulationOutcome outcome = simulation.run();
    const double seconds = processor_seconds() - begin;
    const auto messages = static_cast<double>(outcome.messages);
    const double read = seconds_a_read(outcome.memory_bytes);
    std::printf("perfect-tree on a random tree of %u nodes, unit delays\n", nodes);
    std::printf("  %.0f messages in %.2f s: %.2f million a second\n", messages, seconds,
                messages / seconds / 1e6);
    std::printf("  a message costs %.0f ns, a random read of %.0f MB %.0f ns: ratio %.2f\n",
                seconds / messages * 1e9, static_cast<double>(outcome.memory_bytes) / 1e6,
                read * 1e9, seconds / messages / read);
    std::printf("  %.0f bytes a node besides messages (at most 600)\n",
                static_cast<double>(outcome.memory_bytes) / nodes);
    return outcome.end == engine::SimulationEnd::all_done ? 0 : 1;
}
