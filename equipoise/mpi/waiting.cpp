#include "equipoise/mpi/waiting.hpp"

#include <algorithm>
#include <thread>
#include <vector>

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

void wait_for(std::span<MPI_Request> requests) {
    std::vector<int> which(requests.size());
    Patience patience;
    for (;;) {
        int done = 0;
        check(MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &done, which.data(),
                           MPI_STATUSES_IGNORE),
              "MPI_Testsome");
        if (done == MPI_UNDEFINED) return;  // none is left
        if (done > 0)
            patience = {};
        else
            patience.pause();
    }
}

void wait_for(MPI_Request& request) {
    wait_for(std::span(&request, 1));
}

}  // namespace equipoise::mpi
