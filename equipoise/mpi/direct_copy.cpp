#include "equipoise/mpi/direct_copy.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <string>

#if defined(__linux__)
#include <sys/uio.h>
#include <unistd.h>
#endif

#include "equipoise/base/digest.hpp"

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

Processors processors_of(std::span<const int> numbers) {
    Digest which;
    for (const int number : numbers)
        which.add(static_cast<std::uint64_t>(number));
    return {static_cast<std::int64_t>(which.value()), static_cast<std::int64_t>(numbers.size())};
}

bool processors_suffice(std::span<const Processors> processes) {
    std::size_t usable = 0;
    for (const Processors& mine : processes) {
        const auto same = [&](const Processors& other) { return other.which == mine.which; };
        // The first with these processors counts them.
        if (&*std::find_if(processes.begin(), processes.end(), same) == &mine)
            usable += static_cast<std::size_t>(mine.count);
    }
    return usable >= processes.size();
}

#if defined(__linux__)

std::int64_t this_process() {
    return getpid();
}

DirectCopies direct_copies_wanted() {
    const char* const said =
        std::getenv("EQUIPOISE_DIRECT_COPIES");  // NOLINT(concurrency-mt-unsafe)
    if (said == nullptr) return DirectCopies::if_processors_suffice;
    std::string word = said;
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    const auto is_one_of = [&](std::initializer_list<const char*> words) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    return is_one_of({"off", "0", "no", "false"})  ? DirectCopies::off
           : is_one_of({"on", "1", "yes", "true"}) ? DirectCopies::on
                                                   : DirectCopies::if_processors_suffice;
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

DirectCopies direct_copies_wanted() {
    return DirectCopies::off;
}

std::size_t copy_from_process(std::int64_t /*process*/, std::uint64_t /*address*/,
                              std::span<std::byte> /*to*/) {
    return 0;
}

#endif

}  // namespace equipoise::mpi
