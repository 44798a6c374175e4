// How long an edge list of ten million links takes to become a network, as a multiple of what any
// reader must do: finding its lines (`wc -l` on the same file) plus one std::sort of the links.
// Also the peak memory, as a multiple of the final structure, and the bytes per link of that
// structure.
//
// Links are random, in random order, on a million nodes. `read_edge_list LINKS` uses another number
// of links.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/network/io/read.hpp"

namespace {

using namespace equipoise;

template <class F>
double seconds(F&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Distinct random links in random order.
std::vector<Ends> random_links(std::uint64_t count, NodeId nodes) {
    RandomStream random(1, Purpose::network);
    std::vector<Ends> links;
    while (links.size() < count) {
        while (links.size() < count) {
            const auto a = static_cast<NodeId>(random.below(nodes));
            const auto b = static_cast<NodeId>(random.below(nodes));
            if (a != b) links.push_back({std::min(a, b), std::max(a, b)});
        }
        std::sort(links.begin(), links.end());
        links.erase(std::unique(links.begin(), links.end()), links.end());
    }
    for (std::size_t i = links.size(); i > 1; --i)
        std::swap(links[i - 1], links[random.below(i)]);
    return links;
}

/// The highest resident memory of this process since the last reset, in bytes.
std::uint64_t peak_bytes() {
    std::ifstream status("/proc/self/status");
    std::string word;
    std::uint64_t kibibytes = 0;
    while (status >> word)
        if (word == "VmHWM:") status >> kibibytes;
    return kibibytes << 10U;
}

void reset_peak() {
    std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace

int main(int argument_count, char** arguments) {
    const std::uint64_t count =
        argument_count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 10'000'000;
    const auto nodes = static_cast<NodeId>(std::max<std::uint64_t>(count / 10, 100));
    const std::string path = std::filesystem::temp_directory_path() /
                             ("read_edge_list_" + std::to_string(::getpid()) + ".edges");
    std::vector<Ends> links = random_links(count, nodes);
    {
        AtomicFile file(path);
        for (const Ends& ends : links)
            file.write(std::to_string(ends.tail) + "\t" + std::to_string(ends.head) + "\n");
        file.commit();
    }
    std::printf("%12s %12s %12s %12s %8s %14s %12s\n", "links", "wc -l s", "sort s", "read s",
                "ratio", "memory ratio", "bytes/link");
    constexpr int repetitions = 3;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        const std::string command = "wc -l < " + path + " > /dev/null";
        int status = 0;
        const double scan = seconds([&] { status = std::system(command.c_str()); });
        if (status != 0) return 1;
        double sort = 0;
        {
            std::vector<Ends> sorted = links;
            sort = seconds([&] { std::sort(sorted.begin(), sorted.end()); });
        }
        network::AnyNetwork network;
        reset_peak();
        const std::uint64_t before = peak_bytes();
        const double reading = seconds([&] { network = network::read(path); });
        const auto structure = static_cast<double>(network.stored()->memory_bytes());
        const double memory = static_cast<double>(peak_bytes() - before) / structure;
        std::printf("%12llu %12.3f %12.3f %12.3f %8.2f %14.2f %12.1f\n",
                    static_cast<unsigned long long>(network.link_count()), scan, sort, reading,
                    reading / (scan + sort), memory,
                    structure / static_cast<double>(network.link_count()));
    }
    std::filesystem::remove(path);
}
