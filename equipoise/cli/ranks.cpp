#include "equipoise/cli/ranks.hpp"

#include <cstdint>
#include <cstdio>
#include <string>

#include "equipoise/base/digest.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/cli/launcher.hpp"
#include "equipoise/cli/options.hpp"
#include "equipoise/cli/terminal.hpp"

#ifdef EQUIPOISE_WITH_MPI
#include "equipoise/mpi/session.hpp"
#endif

namespace equipoise::cli {

namespace {

/// Throws the error of copies that cannot communicate: one speaks for all.
[[noreturn]] void refuse_copies(const Launch& launch, const std::string& why,
                                const std::string& what_to_do) {
    if (launch.rank != 0) fall_silent();
    throw InputError("a launcher started " +
                     (launch.processes ? std::to_string(*launch.processes) : "several") +
                     " copies of this program, which " + why + "; " + what_to_do);
}

}  // namespace

#ifdef EQUIPOISE_WITH_MPI

struct Ranks::Session {
    mpi::Session mpi;
};

Ranks::Ranks(bool anyway) {
    const Launch launch = launch_of_environment();
    if (!anyway && !launch.by_launcher) return;
    session_ = std::make_unique<Session>();
    fabric_ = &session_->mpi.fabric();
    if (!speaks()) fall_silent();
    if (fabric_->ranks() > 1 || launch.processes.value_or(1) == 1) return;
    refuse_copies(
        launch, "do not see each other, because it was built with another MPI than the launcher's",
        "start it with the mpirun of its own MPI (equipoise mpi-info names it)");
}

void Ranks::wait_for_all() const {
    session_->mpi.wait_for_all();
}

void Ranks::complain(const std::string& message) const {
    constexpr double seconds_max = 5;
    if (fabric_ != nullptr && !session_->mpi.wait_for_all(seconds_max)) {
        std::fprintf(stderr, "equipoise: rank %d: %s\n", fabric_->rank(),
                     shortened(printable(message)).c_str());
        mpi::Session::end_all(exit_bad_input);
    }
    cli::complain(message);
}

#else

struct Ranks::Session {};

void Ranks::complain(const std::string& message) const {
    cli::complain(message);
}

Ranks::Ranks(bool /*anyway*/) {
    const Launch launch = launch_of_environment();
    if (launch.one_of_several())
        refuse_copies(launch, "was built without MPI: each would do everything by itself",
                      "build it where MPI is installed (./dev build), or start it alone");
}

void Ranks::wait_for_all() const {}

#endif

Ranks::~Ranks() = default;

int Ranks::status_of_first(const std::function<int()>& act) const {
    int status = 0;
    first([&] { status = act(); });
    return static_cast<int>(largest(status));
}

bool Ranks::any(bool here) const {
    return largest(here ? 1 : 0) != 0;
}

std::int64_t Ranks::largest(std::int64_t here) const {
    return fabric_ == nullptr ? here : engine::largest_of(*fabric_, here);
}

void Ranks::expect_same_arguments(int argc, char** argv) const {
    if (fabric_ == nullptr) return;
    Digest digest;
    for (int i = 1; i < argc; ++i) {
        for (const char* at = argv[i]; *at != '\0'; ++at)
            digest.add(static_cast<unsigned char>(*at));
        digest.add(~std::uint64_t{0});
    }
    const engine::Held arguments = {"arguments", digest.value()};
    engine::expect_same(*fabric_, {&arguments, 1});
}

int Ranks::own_status(int status) const {
    return status == exit_not_reached && !speaks() ? exit_done : status;
}

}  // namespace equipoise::cli
