#include "equipoise/mpi/binding.hpp"

#include <fstream>
#include <functional>
#include <memory>
#include <string_view>

#include <dirent.h>
#ifdef __linux__
#include <sched.h>
#endif

namespace equipoise::mpi {

namespace {

using Part = std::optional<std::string>;

std::string folder_of(int processor) {
    return "/sys/devices/system/cpu/cpu" + std::to_string(processor) + '/';
}

Part line_of(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    return std::getline(file, line) ? Part(line) : std::nullopt;
}

// Iterators of std::filesystem that report errors as codes end the program when memory runs out.
Part memory_bank(int processor) {
    const auto close = [](DIR* folder) { closedir(folder); };
    const std::unique_ptr<DIR, decltype(close)> folder(opendir(folder_of(processor).c_str()));
    if (!folder) return std::nullopt;
    while (const dirent* const entry = readdir(folder.get())) {
        const std::string_view name(&entry->d_name[0]);
        if (name.starts_with("node") &&
            name.find_first_not_of("0123456789", 4) == std::string_view::npos)
            return std::string(name);
    }
    return std::nullopt;
}

/// The processors that share a cache of this level with `processor`.
Part cache(int processor, const std::string& level) {
    constexpr int caches_most = 16;
    for (int index = 0; index < caches_most; ++index) {
        const std::string folder =
            folder_of(processor) + "cache/index" + std::to_string(index) + '/';
        const Part found = line_of(folder + "level");
        if (!found) return std::nullopt;
        if (*found == level) return line_of(folder + "shared_cpu_list");
    }
    return std::nullopt;
}

}  // namespace

std::vector<int> own_processors() {
    std::vector<int> all;
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return all;
    for (int processor = 0; processor < CPU_SETSIZE; ++processor)
        if (CPU_ISSET(processor, &set)) all.push_back(processor);
#endif
    return all;
}

std::vector<Bound> binding() {
    struct Kind {
        const char* name;
        std::function<Part(int)> part_of;
    };
    const std::vector<Kind> kinds = {
        {"socket", [](int p) { return line_of(folder_of(p) + "topology/physical_package_id"); }},
        {"numa", memory_bank},
        {"l3-cache", [](int p) { return cache(p, "3"); }},
        {"l2-cache", [](int p) { return cache(p, "2"); }},
        {"core", [](int p) { return line_of(folder_of(p) + "topology/thread_siblings_list"); }},
        {"hardware-thread", [](int p) { return Part(std::to_string(p)); }}};
    const std::vector<int> mine = own_processors();
    std::vector<Bound> all;
    for (const auto& [name, part_of] : kinds) {
        Part common = mine.empty() ? std::nullopt : part_of(mine.front());
        for (std::size_t i = 1; i < mine.size() && common; ++i)
            if (part_of(mine[i]) != common) common.reset();
        all.push_back({name, std::move(common)});
    }
    return all;
}

}  // namespace equipoise::mpi
