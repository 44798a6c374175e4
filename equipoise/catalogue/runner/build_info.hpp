#pragma once
// Facts about this build, for `doctor` and records.

#include <string>

namespace equipoise::catalogue {

struct BuildInfo {
    std::string version;        ///< of the project, "0.1.0"
    std::string compiler;       ///< "g++ 12.2.0"
    std::string configuration;  ///< "optimised" or "checked" (heavy assertions)
    bool openmp = false;        ///< whether threads are used at all
    int threads = 1;            ///< the number that `--threads 0` means on this machine
    bool mpi = false;           ///< whether the MPI rooms are part of the build
    bool metis = false;         ///< whether it was built with METIS
    bool clp = false;           ///< whether it was built with COIN-OR Clp
    bool brotli = false;        ///< whether it was built with brotli
    bool yaml = false;          ///< whether it was built with yaml-cpp
    bool hiredis = false;       ///< whether it was built with hiredis
};

[[nodiscard]] const BuildInfo& build_info();

}  // namespace equipoise::catalogue
