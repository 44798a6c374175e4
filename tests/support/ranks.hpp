#pragma once
// Runs tests of what ranks do together in two ways: as processes under mpirun, or as threads, which
// sanitizers can watch.

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <string>

#include "equipoise/engine/fabric.hpp"

namespace equipoise::test {

/// Calls `play` on every rank. In a program for mpirun the ranks are the processes of
/// MPI_COMM_WORLD (mpi_ranks.cpp); in any other program they are threads: 1, 2, 3, 4 and 7 of them,
/// one number after the other (thread_ranks.cpp).
void on_ranks(const std::function<void(engine::Fabric&)>& play);

/// Whether lists of cases are played whole, as `./dev test --long` does on many processes.
[[nodiscard]] inline bool plays_all_cases() {
    return std::getenv("EQUIPOISE_ALL_CASES") != nullptr;
}

/// Whether case number `which` of a long list is played on this number of ranks. Threads play all;
/// in checked builds, where all tokens are counted again after every step, more than two of them
/// play every fifth case. So do more than four processes, which spend their time waiting for each
/// other, unless all cases are played. Number the cases so that the fifths do not always meet the
/// same networks.
[[nodiscard]] bool plays_case(int ranks, std::size_t which);

/// The path of a file that all ranks share and that no other test program writes.
[[nodiscard]] std::string shared_file(const std::string& name);

}  // namespace equipoise::test
