#include "equipoise/cli/ranks.hpp"

#include <cstdint>
#include <cstdio>

#include "equipoise/base/digest.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/cli/options.hpp"
#include "equipoise/cli/terminal.hpp"

#ifdef EQUIPOISE_WITH_MPI
#include "equipoise/mpi/session.hpp"
#endif

namespace equipoise::cli {

#ifdef EQUIPOISE_WITH_MPI

struct Ranks::Session {
    mpi::Session mpi;
};

Ranks::Ranks(bool anyway) {
    if (!anyway && !mpi::launched()) return;
    session_ = std::make_unique<Session>();
    fabric_ = &session_->mpi.fabric();
    if (!speaks()) fall_silent();
}

void Ranks::wait_for_all() const {
    session_->mpi.wait_for_all();
}

void Ranks::complain(const std::string& message) const {
    constexpr double seconds_max = 5;
    if (fabric_ != nullptr && !session_->mpi.wait_for_all(seconds_max)) {
        std::fprintf(stderr, "equipoise: rank %d: %s\n", fabric_->rank(), message.c_str());
        mpi::Session::end_all(exit_bad_input);
    }
    cli::complain(message);
}

#else

struct Ranks::Session {};

void Ranks::complain(const std::string& message) const {
    cli::complain(message);
}

Ranks::Ranks(bool /*anyway*/) {}

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

void Ranks::expect_same_instance(const network::AnyNetwork& network,
                                 const load::Loads& loads) const {
    if (fabric_ == nullptr || fabric_->ranks() == 1) return;
    Digest digest;
    digest.add(network.visit([](const auto& graph) { return network::digest(graph); }));
    for (const Tokens load : loads)
        digest.add(static_cast<std::uint64_t>(load));
    engine::Fabric::Tally told;
    told.maxima[0] = static_cast<std::int64_t>(digest.value() >> 1U);
    told.maxima[1] = -told.maxima[0];
    told = fabric_->reduce(told);
    if (told.maxima[0] != -told.maxima[1])
        throw InputError(
            "network or loads differ from rank to rank: expected the same files on all machines");
}

}  // namespace equipoise::cli
