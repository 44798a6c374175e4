#include "equipoise/agent/boot_time.hpp"

#include <ctime>
#include <fstream>
#include <limits>

namespace equipoise::agent {

BootTime BootTime::now() {
    static const std::string boot = [] {
        std::string id;
        std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
        return id;
    }();
    timespec time{};
    clock_gettime(CLOCK_BOOTTIME, &time);
    return {boot, std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec};
}

std::int64_t BootTime::until(const BootTime& later) const {
    if (boot != later.boot) return std::numeric_limits<std::int64_t>::max();
    return later.nanoseconds - nanoseconds;
}

}  // namespace equipoise::agent
