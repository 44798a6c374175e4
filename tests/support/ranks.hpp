#pragma once
// One text for tests of what ranks do together, whatever they are: processes under mpirun, or
// threads, which sanitizers see.

#include <functional>
#include <string>

#include "equipoise/engine/fabric.hpp"

namespace equipoise::test {

/// Calls `play` on every rank that there is. Of a program for mpirun these are the processes of
/// MPI_COMM_WORLD (mpi_ranks.cpp); of any other program threads: 1, 2, 3, 4 and 7 of them, one
/// number after the other (thread_ranks.cpp).
void on_ranks(const std::function<void(engine::Fabric&)>& play);

/// The path of a file that all ranks share and that no other test program writes.
[[nodiscard]] std::string shared_file(const std::string& name);

}  // namespace equipoise::test
