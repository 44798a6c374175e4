#pragma once
// Shortages of memory on one of several ranks.

#include <atomic>
#include <cstdint>

#include <mpi.h>

#include "tests/support/failing_memory.hpp"

namespace equipoise::test {

/// Calls `act` on all ranks of the world; on rank `failing` its allocation number `which`, counted
/// from 0, fails (-1: none), and if the shortage lasts all later ones. Returns, the same on all
/// ranks, whether there was one. `act` must not throw.
template <class Act>
bool falls_short(int failing, std::int64_t which, const Act& act,
                 Shortage shortage = Shortage::passes) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::atomic<bool> failed = false;
    {
        const FailingMemory memory(rank == failing ? which : -1, failed, shortage);
        act();
    }
    int any = failed ? 1 : 0;
    MPI_Bcast(&any, 1, MPI_INT, failing, MPI_COMM_WORLD);
    return any != 0;
}

}  // namespace equipoise::test
