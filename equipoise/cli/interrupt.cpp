#include "equipoise/cli/interrupt.hpp"

#include <pthread.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigwait is not in <csignal>
#include <unistd.h>

#include "equipoise/base/atomic_file.hpp"

namespace equipoise::cli {

namespace {

sigset_t interrupt_set() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

// The signal is raised again when this returns, and then ends the process as it would have.
extern "C" void remove_files_and_end(int number) {
    remove_unfinished_files();
    raise(number);
}

}  // namespace

void clean_up_on_signals() {
    struct sigaction clean {};
    clean.sa_handler = remove_files_and_end;
    clean.sa_flags = static_cast<int>(SA_RESETHAND);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) {
        struct sigaction before {};
        // Under nohup and in the background signals are ignored.
        if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(number, &clean, nullptr);
    }
    signal(SIGXFSZ, SIG_IGN);
}

InterruptGuard::InterruptGuard() {
    const sigset_t set = interrupt_set();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    thread_ = std::thread([this] { wait(); });
}

InterruptGuard::~InterruptGuard() {
    ending_ = true;
    pthread_kill(thread_.native_handle(), SIGINT);
    thread_.join();
    const sigset_t set = interrupt_set();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void InterruptGuard::wait() {
    const sigset_t set = interrupt_set();
    for (int received = 0;; ++received) {
        int signal = 0;
        sigwait(&set, &signal);
        if (ending_) return;
        if (received > 0) {
            remove_unfinished_files();
            _exit(128 + signal);
        }
        source_.request_stop();
    }
}

}  // namespace equipoise::cli
