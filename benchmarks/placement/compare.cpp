// Where peers' rules put weighted items, beside Equipoise: the largest load over the average, the
// items and the bytes that move, and how long the planning takes on one core.
//
// Every peer is played from step to step of a trace, from where it left the items. Equipoise is
// asked, from the same places, for three placements that move the fewest items: with tolerance 0,
// with 0.05, and with the largest load that the peer reached; and once more for that with the
// fewest bytes. Figures are means over steps; those of moves are sums.
// usage: placement_compare [FOLDER of vt-8color-32ranks and vt-toy [FILE for cases that are worse]]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iomanip>
#include <numeric>
#include <string>
#include <vector>

#include "benchmarks/placement/instances.hpp"
#include "benchmarks/placement/ours.hpp"
#include "benchmarks/placement/peers.hpp"

namespace {

using namespace equipoise;
using namespace equipoise::benchmarks;

/// What one method did in all steps.
struct Figures {
    double level = 0;  ///< sum over steps of the largest load over the average
    std::size_t items = 0;
    double bytes = 0;
    double seconds = 0;
};

/// One placement.
struct Placed {
    std::vector<int> rank;
    double level = 0;
    std::size_t items = 0;
    double bytes = 0;
    double seconds = 0;
};

Placed placed(const peers::Items& items, const std::vector<double>& bytes,
              const std::function<std::vector<int>()>& place) {
    const auto began = std::chrono::steady_clock::now();
    Placed result{place(), 0, 0, 0, 0};
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    const std::vector<double> loads = peers::loads_of(items, result.rank);
    result.level = *std::max_element(loads.begin(), loads.end()) *
                   static_cast<double>(loads.size()) /
                   std::accumulate(loads.begin(), loads.end(), 0.0);
    for (std::size_t i = 0; i < result.rank.size(); ++i) {
        if (result.rank[i] == items.rank[i]) continue;
        ++result.items;
        if (!bytes.empty()) result.bytes += bytes[i];
    }
    return result;
}

void add(Figures& figures, const Placed& one) {
    figures.level += one.level;
    figures.items += one.items;
    figures.bytes += one.bytes;
    figures.seconds += one.seconds;
}

/// Where Equipoise did worse than a peer.
class WorseCases {
  public:
    /// The instances go to this file, unless its name is empty.
    explicit WorseCases(const std::string& file) {
        if (!file.empty()) out_.open(file);
    }
    void note(const std::string& what, const Trace& trace, std::size_t step,
              const peers::Items& items, double peer, double ours) {
        lines_.push_back(trace.name + ", step " + std::to_string(step) + ": " + what + ", " +
                         std::to_string(ours) + " instead of " + std::to_string(peer));
        out_ << std::setprecision(17) << lines_.back() << "\nfixed";
        for (const double each : items.fixed)
            out_ << ' ' << each;
        out_ << "\nrank weight bytes\n";
        for (std::size_t i = 0; i < items.weights.size(); ++i)
            out_ << items.rank[i] << ' ' << items.weights[i] << ' '
                 << (trace.bytes.empty() ? 0 : trace.bytes[i]) << '\n';
    }
    [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

  private:
    std::ofstream out_;
    std::vector<std::string> lines_;
};

struct Peer {
    const char* name;
    std::vector<int> (*place)(const peers::Items&);
};
std::vector<int> tempered(const peers::Items& items) {
    return peers::tempered(items, 1);
}
constexpr Peer all_peers[] = {{"LPT", peers::longest_processing_time},
                              {"GreedyRefine", peers::greedy_refine},
                              {"TemperedLB", tempered},
                              {"Zoltan BLOCK", peers::zoltan_block}};

void print(const char* name, const Figures& figures, double steps, bool sized) {
    std::printf(" %s %.4f, %.1f", name, figures.level / steps,
                static_cast<double>(figures.items) / steps);
    if (sized) std::printf(", %.0f kB", figures.bytes / steps / 1000);
    std::printf(", %.2f ms |", figures.seconds / steps * 1000);
}

/// One row for each peer, over traces that differ in their seeds only.
void compare(const std::vector<Trace>& traces, WorseCases& worse) {
    const bool sized = !traces.front().bytes.empty();
    for (const Peer& peer : all_peers) {
        Figures theirs;
        Figures level;
        Figures near;
        Figures as_level;
        Figures as_level_bytes;
        double steps = 0;
        for (const Trace& trace : traces) {
            std::vector<int> rank = trace.rank;
            for (std::size_t step = 0; step < trace.steps(); ++step) {
                const peers::Items items{trace.weights[step], rank, trace.fixed[step]};
                const auto run = [&](const std::vector<double>& bytes, double tolerance) {
                    return placed(items, trace.bytes,
                                  [&] { return ours(items, bytes, tolerance); });
                };
                Placed one = placed(items, trace.bytes, [&] { return peer.place(items); });
                const double tolerance = one.level * (1 + 1e-12) - 1;
                const Placed at_none = run({}, 0);
                const Placed same = run({}, tolerance);
                add(theirs, one);
                add(level, at_none);
                add(near, run({}, 0.05));
                add(as_level, same);
                const std::string named = std::string(" than ") + peer.name;
                if (at_none.level > one.level * (1 + 1e-9))
                    worse.note("a larger load at tolerance 0" + named, trace, step, items,
                               one.level, at_none.level);
                if (same.items > one.items)
                    worse.note("more items at its load" + named, trace, step, items,
                               static_cast<double>(one.items), static_cast<double>(same.items));
                if (sized) {
                    const Placed by_bytes = run(trace.bytes, tolerance);
                    add(as_level_bytes, by_bytes);
                    if (by_bytes.bytes > one.bytes)
                        worse.note("more bytes at its load" + named, trace, step, items, one.bytes,
                                   by_bytes.bytes);
                }
                rank = std::move(one.rank);
                ++steps;
            }
        }
        std::printf("| %s |", traces.front().name.c_str());
        print(peer.name, theirs, steps, sized);
        print("", level, steps, sized);
        print("", near, steps, sized);
        print("", as_level, steps, sized);
        if (sized)
            print("", as_level_bytes, steps, sized);
        else
            std::printf(" |");
        std::printf("\n");
    }
    std::fflush(stdout);
}

std::vector<Trace> seeds(Trace (*make)(std::size_t, std::size_t, std::uint64_t), std::size_t ranks,
                         std::size_t items_per_rank) {
    std::vector<Trace> traces;
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
        traces.push_back(make(ranks, items_per_rank, seed));
    return traces;
}

}  // namespace

int main(int argc, char** argv) {
    std::printf(
        "| trace | peer | Equipoise, tolerance 0 | 0.05 | at its largest load | the same, "
        "fewest bytes |\n|---|---|---|---|---|---|\n");
    WorseCases worse(argc > 2 ? argv[2] : "");
    if (argc > 1) {
        const std::string folder = argv[1];
        const Trace colour = read_vt(folder + "/vt-8color-32ranks", "vt 8color");
        for (std::size_t phase = 0; phase < colour.steps(); ++phase)
            compare({steps_of(colour, "vt 8color, phase " + std::to_string(phase), {phase})},
                    worse);
        compare({read_vt(folder + "/vt-toy", "vt toy")}, worse);
    }
    compare(seeds(zipf, 32, 20), worse);
    compare(seeds(bimodal, 32, 20), worse);
    compare({walk(32, 20, 100, 0.03, 1)}, worse);
    compare({growth(32, 20, 100, 0.01, 1)}, worse);
    compare({hot_spot(32, 20, 100, 0.1, 1)}, worse);
    std::printf("\nworse than a peer: %zu cases\n", worse.lines().size());
    for (const std::string& line : worse.lines())
        std::printf("%s\n", line.c_str());
    return 0;
}
