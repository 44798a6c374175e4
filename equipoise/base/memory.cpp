#include "equipoise/base/memory.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

#include "equipoise/base/error.hpp"

namespace equipoise {

namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

std::uint64_t of_machine() {
    const auto pages = ::sysconf(_SC_PHYS_PAGES);
    const auto bytes = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || bytes <= 0) return unlimited;
    return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes);
}

std::uint64_t of_process() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
    return limit.rlim_cur;
}

/// The container's limit, as Linux reports it; "max" means no limit.
std::uint64_t of_container() {
    std::ifstream file("/sys/fs/cgroup/memory.max");
    std::uint64_t bytes = 0;
    return file >> bytes ? bytes : unlimited;
}

}  // namespace

std::uint64_t memory_bytes_max() {
    return std::min({of_machine(), of_process(), of_container()});
}

std::string memory_text(UInt128 count) {
    if (count > unlimited) return "more than 16 EiB";
    auto bytes = static_cast<double>(count);
    constexpr std::array units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    constexpr double step = 1024;
    std::size_t unit = 0;
    for (; bytes >= step && unit + 1 < units.size(); ++unit)
        bytes /= step;
    std::array<char, 48> text{};
    const int length = std::snprintf(text.data(), text.size(), bytes < 10 ? "%.1f %s" : "%.0f %s",
                                     bytes, units[unit]);
    return {text.data(), static_cast<std::size_t>(length)};
}

void expect_memory(UInt128 bytes, std::string_view what) {
    const std::uint64_t most = memory_bytes_max();
    if (bytes <= most) return;
    throw InputError(std::string(what) + " would take " + memory_text(bytes) +
                     " of memory: this machine has " + memory_text(most));
}

}  // namespace equipoise
