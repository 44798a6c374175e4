#include "equipoise/mpi/waiting.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <thread>

#include "equipoise/mpi/error.hpp"

namespace equipoise::mpi {

void Patience::pause() {
    using std::chrono::microseconds;
    constexpr microseconds busy{20};
    constexpr microseconds awake{200};
    constexpr microseconds longest_nap{1000};
    const auto waited = Clock::now() - begin_;
    if (waited < busy) return;
    if (waited < awake) return std::this_thread::yield();
    // A sleeping rank is woken in time; one that only yields is scheduled after all others.
    std::this_thread::sleep_for(nap_);
    nap_ = std::min(longest_nap, nap_ + nap_ / 4);
}

// Requests are looked at in blocks. Those of long messages complete in order: the blocks after one
// that was found to advance can wait for the next look.
Progress look_at(std::span<MPI_Request>& requests) {
    constexpr std::size_t block = 64;
    std::array<int, block> which{};
    bool some_done = false;
    bool at_front = true;
    for (std::size_t first = 0; first < requests.size() && !some_done;) {
        const auto some = requests.subspan(first, std::min(block, requests.size() - first));
        int done = 0;
        check(MPI_Testsome(static_cast<int>(some.size()), some.data(), &done, which.data(),
                           MPI_STATUSES_IGNORE),
              "MPI_Testsome");
        const bool none_left = done == MPI_UNDEFINED;
        at_front = at_front && none_left;
        if (at_front)
            requests = requests.subspan(some.size());
        else
            first += some.size();
        some_done = !none_left && done > 0;
    }
    if (requests.empty()) return Progress::all;
    return some_done ? Progress::some : Progress::none;
}

// Allocates nothing: a rank that waits has items under way and could no longer report a failure.
void wait_for(std::span<MPI_Request> requests) {
    Patience patience;
    for (;;) {
        switch (look_at(requests)) {
            case Progress::all:
                return;
            case Progress::some:
                patience = {};
                break;
            case Progress::none:
                patience.pause();
                break;
        }
    }
}

void wait_for(MPI_Request& request) {
    wait_for(std::span(&request, 1));
}

}  // namespace equipoise::mpi
