#pragma once
// The environment in which launchers (mpirun, mpiexec, srun) start processes.

#include <cstdint>
#include <optional>

namespace equipoise::cli {

/// How this process was started, judged by the variables that Open MPI, PMIx and PMI set.
struct Launch {
    bool by_launcher = false;
    std::uint64_t rank = 0;                  ///< 0 if not given
    std::optional<std::uint64_t> processes;  ///< nothing if not given

    /// Whether this is, or may be, one of several copies.
    [[nodiscard]] bool one_of_several() const { return by_launcher && processes != 1; }
};

[[nodiscard]] Launch launch_of_environment();

}  // namespace equipoise::cli
