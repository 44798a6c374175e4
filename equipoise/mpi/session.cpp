#include "equipoise/mpi/session.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include <mpi.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t is not in <csignal>

#include "equipoise/mpi/error.hpp"
#include "equipoise/mpi/fabric.hpp"

namespace equipoise::mpi {

struct Session::Inner {
    Fabric fabric{MPI_COMM_WORLD};
};

Session::Session() {
    sigset_t ends;
    sigset_t before;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, &before);
    int provided = 0;
    const int code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    check(code, "MPI_Init_thread");
    inner_ = std::make_unique<Inner>();
}

Session::~Session() {
    inner_.reset();
    MPI_Finalize();
}

engine::Fabric& Session::fabric() {
    return inner_->fabric;
}

void Session::wait_for_all() {
    static_cast<void>(wait_for_all(std::numeric_limits<double>::infinity()));
}

bool Session::wait_for_all(double seconds_max) {
    using Clock = std::chrono::steady_clock;
    using std::chrono::milliseconds;
    constexpr milliseconds longest{20};
    const Clock::time_point begin = Clock::now();
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibarrier(inner_->fabric.communicator().raw(), &request), "MPI_Ibarrier");
    milliseconds pause{0};
    for (int done = 0;;) {
        check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (done != 0) return true;
        if (std::chrono::duration<double>(Clock::now() - begin).count() > seconds_max) return false;
        std::this_thread::sleep_for(pause);
        pause = std::min(longest, pause + milliseconds{1});
    }
}

void Session::end_all(int status) {
    MPI_Abort(MPI_COMM_WORLD, status);
}

}  // namespace equipoise::mpi
