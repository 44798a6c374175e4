#include "equipoise/mpi/direct_copy.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <limits>
#include <string>

#if defined(__linux__)
#include <sys/uio.h>
#include <unistd.h>
#endif

namespace equipoise::mpi {

namespace {

std::uint64_t& bytes_left() {
    static std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
    return left;
}

}  // namespace

void refuse_direct_copies_after(std::uint64_t bytes) {
    bytes_left() = bytes;
}

#if defined(__linux__)

std::int64_t this_process() {
    return getpid();
}

bool direct_copies_wanted() {
    const char* const said =
        std::getenv("EQUIPOISE_DIRECT_COPIES");  // NOLINT(concurrency-mt-unsafe)
    if (said == nullptr) return true;
    std::string word = said;
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return word != "off" && word != "0" && word != "no" && word != "false";
}

// The system copies at most 2 GiB a call, and less if it meets a page that it may not read.
std::size_t copy_from_process(std::int64_t process, std::uint64_t address,
                              std::span<std::byte> to) {
    const std::size_t bytes = std::min<std::uint64_t>(to.size(), bytes_left());
    std::size_t copied = 0;
    while (copied < bytes) {
        const iovec here = {to.data() + copied, bytes - copied};
        // NOLINTNEXTLINE(performance-no-int-to-ptr): it is no address of this process
        const iovec there = {reinterpret_cast<void*>(address + copied), bytes - copied};
        const ssize_t some = process_vm_readv(static_cast<pid_t>(process), &here, 1, &there, 1, 0);
        if (some <= 0) break;
        copied += static_cast<std::size_t>(some);
    }
    bytes_left() -= copied;
    return copied;
}

#else

std::int64_t this_process() {
    return 0;
}

bool direct_copies_wanted() {
    return false;
}

std::size_t copy_from_process(std::int64_t /*process*/, std::uint64_t /*address*/,
                              std::span<std::byte> /*to*/) {
    return 0;
}

#endif

}  // namespace equipoise::mpi
