// Kills the process that it is loaded into (LD_PRELOAD) when a file gets its name: right before or
// right after, at the call whose number is in DIES_AT, the odd ones before. What other threads do
// meanwhile, and what is on its way to a server, has time to happen.

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <dlfcn.h>
#include <unistd.h>

namespace {

void die() {
    const timespec while_others_go_on = {0, 20'000'000};
    nanosleep(&while_others_go_on, nullptr);
    kill(getpid(), SIGKILL);
}

}  // namespace

// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): of the system
extern "C" int rename(const char* from, const char* to) noexcept {
    static const long dies_at = [] {
        const char* const number = std::getenv("DIES_AT");
        return number == nullptr ? 0 : std::strtol(number, nullptr, 10);
    }();
    static long calls = 0;
    using Rename = int (*)(const char*, const char*);
    static const auto real = reinterpret_cast<Rename>(dlsym(RTLD_NEXT, "rename"));
    if (++calls == dies_at / 2 + 1 && dies_at % 2 == 1) die();
    const int status = real(from, to);
    if (calls == dies_at / 2 && dies_at % 2 == 0) die();
    return status;
}
