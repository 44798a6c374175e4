#pragma once
// What launchers (mpirun, mpiexec, srun) tell the processes that they start.

#include <cstdint>
#include <optional>

namespace equipoise::cli {

/// How this process was started, by what Open MPI, PMIx and PMI leave in the environment.
struct Launch {
    bool by_launcher = false;
    std::uint64_t rank = 0;                  ///< 0 if not given
    std::optional<std::uint64_t> processes;  ///< nothing if not given

    /// Whether this is, or may be, one of several copies.
    [[nodiscard]] bool one_of_several() const { return by_launcher && processes != 1; }
};

[[nodiscard]] Launch launch_of_environment();

}  // namespace equipoise::cli
