// A step of THRESHOLD-1 on an implicit torus of 4096 x 4096 nodes, compared with a plain array copy
// with as many threads, in bytes per second. Both count what they must touch: the copy reads one
// array and writes another; a step of an even torus reads and writes the load of every node. The
// two take turns, and medians are compared, so that a noisy machine disturbs both equally.
//
// Usage: threshold_step [threads [side]]

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "equipoise/base/random.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/grid_schedule.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/protocols/threshold.hpp"

namespace {

using namespace equipoise;

template <class Work>
double seconds_of(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
    const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
    const auto side = static_cast<NodeId>(argc > 2 ? std::atoi(argv[2]) : 4096);
    const network::Grid torus({side, side}, network::Grid::Shape::torus);
    model::GridSchedule schedule(torus);

    RandomStream random(1, Purpose::loads);
    load::Loads loads(torus.node_count());
    for (Tokens& load : loads)
        load = static_cast<Tokens>(random.below(1000));
    std::vector<Tokens> source = loads;
    std::vector<Tokens> target = loads;

    engine::RoundOptions options;
    options.threads = threads;
    engine::EdgeRounds rounds(protocols::Threshold1{}, schedule, std::move(loads), torus, options);
    const engine::Workers workers = engine::Workers::of(threads, 1);
    const auto copy = [&] {
        engine::for_each_block(workers, source.size(), [&](std::uint64_t begin, std::uint64_t end) {
            std::memcpy(target.data() + begin, source.data() + begin,
                        (end - begin) * sizeof(Tokens));
        });
    };

    const auto period = schedule.period();
    std::vector<double> copies;
    std::vector<std::vector<double>> steps(period);
    for (int repetition = 0; repetition < 9; ++repetition)
        for (Step slot = 0; slot < period; ++slot) {
            copies.push_back(seconds_of(copy));
            steps[slot].push_back(seconds_of([&] { rounds.step(); }));
        }

    const double bytes = 2.0 * sizeof(Tokens) * torus.node_count();
    const double copy_rate = bytes / median(copies);
    std::printf("threads %d, torus %u x %u, %llu links\n", threads, side, side,
                static_cast<unsigned long long>(torus.link_count()));
    std::printf("array copy          %7.2f GB/s\n", copy_rate / 1e9);
    double round_seconds = 0;
    for (Step slot = 0; slot < period; ++slot) {
        const double seconds = median(steps[slot]);
        round_seconds += seconds;
        std::printf("threshold-1, step %llu %7.2f GB/s, ratio to copy %.2f\n",
                    static_cast<unsigned long long>(slot), bytes / seconds / 1e9,
                    bytes / seconds / copy_rate);
    }
    const double ratio = bytes * static_cast<double>(period) / round_seconds / copy_rate;
    std::printf("threshold-1, round  ratio to copy %.2f (wanted: at least 0.50)\n", ratio);
    const double memory =
        static_cast<double>(torus.memory_bytes() + sizeof(schedule) + rounds.loads().size_bytes());
    std::printf("memory of network, schedule and loads: %.2f bytes a link (at most 24)\n",
                memory / static_cast<double>(torus.link_count()));
    return ratio >= 0.5 ? 0 : 1;
}
