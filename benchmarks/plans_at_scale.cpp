// Fewest steps on networks of 90,000 to a million nodes, in both port models: what is proved, how
// long it takes, and how much memory besides the network it needs. Both proofs of every answer are
// checked by check_flow and check_cut.
//
// Every line is a process of its own, so that its processor time and its memory are its own.
// usage: plans_at_scale [SECONDS [PART]]
// At most so many seconds for each search (120); only those cases that have PART in their names.

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "equipoise/base/timed_stop.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/optimum/checks/cut_check.hpp"
#include "equipoise/optimum/checks/flow_check.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/steps/scaled_steps.hpp"

namespace {

using namespace equipoise;
using namespace equipoise::optimum;

struct Case {
    const char* network;
    const char* loads;
};

constexpr auto cases = std::to_array<Case>({
    {"torus:300x300", "zipf:tokens=2000000"},
    {"random-regular:n=100000,d=4", "zipf:tokens=2000000"},
    {"preferential-attachment:n=100000,k=3", "spikes:tokens=2000000,k=100"},
    {"mesh:300x300", "corner:tokens=360000,block=30"},
    {"torus:300x300", "bimodal:low=0,high=4"},
    {"random-tree:n=100000", "bimodal:low=0,high=200"},
    {"random-tree:n=100000", "spikes:tokens=2000000,k=100"},
    {"caterpillar:spine=25000,legs=3", "spikes:tokens=2000000,k=100"},
    {"torus:1000x1000", "uniform:tokens=2000000"},
    {"torus:1000x1000", "uniform:tokens=10000000"},
    {"torus:1000x1000", "uniform:tokens=100000000"},
    {"torus:1000x1000", "corner:tokens=4000000,block=100"},
    {"mesh:1000x1000", "corner:tokens=4000000,block=100"},
    {"random-regular:n=1000000,d=4", "zipf:tokens=20000000"},
    {"random-regular:n=1000000,d=4", "uniform:tokens=2000000"},
    {"preferential-attachment:n=1000000,k=3", "zipf:tokens=100000000"},
});

double processor_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// The most memory that the process has had.
double bytes_held() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

std::string steps_of(const EnclosedSteps& found) {
    if (found.exact()) return std::to_string(found.at_least);
    return std::to_string(found.at_least) +
           (found.at_most ? " to " + std::to_string(*found.at_most) : " or more");
}

/// Runs one case in this process.
void play(const Case& asked, bool all_ports, double seconds_max) {
    constexpr std::uint64_t seed = 1;
    const network::AnyNetwork any = network::generate(asked.network, seed);
    const network::Network network(any.node_count(), network::all_links(any));
    const load::Loads loads = load::make_loads(asked.loads, any, seed);
    const Problem problem{&network, loads, floor_or_ceiling(loads), {}, {}, {}, all_ports};
    const double bytes_before = bytes_held();
    const double processor_before = processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    const TimedStop end({}, TimeLimit(seconds_max).after(1));
    const EnclosedSteps found = scaled_steps(problem, {end.token()});
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    const double processor = processor_seconds() - processor_before;
    const double bytes = bytes_held() - bytes_before;
    const bool holds = (!found.flow || check_flow(problem, *found.flow).holds) &&
                       (!found.cut || check_cut(problem, *found.cut).empty());
    std::printf("%-20s %8.1f s %8.1f s of processor %5.0f bytes a link%s%s%s\n",
                steps_of(found).c_str(), taken.count(), processor,
                bytes / static_cast<double>(network.link_count()), holds ? "" : "  REFUTED",
                found.open.empty() ? "" : "  ", found.open.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    const double seconds_max = argc > 1 ? std::atof(argv[1]) : 120;
    const std::string part = argc > 2 ? argv[2] : "";
    for (const Case& asked : cases)
        for (const bool all_ports : {false, true}) {
            const std::string name = std::string(asked.network) + ' ' + asked.loads +
                                     (all_ports ? ", all ports" : ", one port");
            if (name.find(part) == std::string::npos) continue;
            std::printf("%-80s ", name.c_str());
            std::fflush(stdout);
            const pid_t child = fork();
            if (child == 0) {
                play(asked, all_ports, seconds_max);
                return 0;
            }
            int status = 0;
            if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) ||
                WEXITSTATUS(status) != 0)
                std::printf("failed\n");
        }
    return 0;
}
