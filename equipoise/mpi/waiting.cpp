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

// Allocates nothing: whoever waits has items under way, and could not report a failure any more.
void wait_for(std::span<MPI_Request> requests) {
    constexpr std::size_t block = 64;
    std::array<int, block> which{};
    Patience patience;
    while (!requests.empty()) {
        bool some_done = false;
        bool all_done = true;
        for (std::size_t first = 0; first < requests.size(); first += block) {
            const auto some = requests.subspan(first, std::min(block, requests.size() - first));
            int done = 0;
            check(MPI_Testsome(static_cast<int>(some.size()), some.data(), &done, which.data(),
                               MPI_STATUSES_IGNORE),
                  "MPI_Testsome");
            if (done == MPI_UNDEFINED) continue;  // none is left
            all_done = false;
            some_done = some_done || done > 0;
        }
        if (all_done) return;
        if (some_done)
            patience = {};
        else
            patience.pause();
    }
}

void wait_for(MPI_Request& request) {
    wait_for(std::span(&request, 1));
}

}  // namespace equipoise::mpi
