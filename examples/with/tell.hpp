#pragma once
// What the examples of this folder print.

#include <cstdio>

#include <mpi.h>

/// Prints the largest and the average load of all ranks, and how many items have moved in all.
inline void tell(MPI_Comm communicator, const char* how, double load, double moved) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    double most = 0;
    double all = 0;
    double moved_of_all = 0;
    MPI_Reduce(&load, &most, 1, MPI_DOUBLE, MPI_MAX, 0, communicator);
    MPI_Reduce(&load, &all, 1, MPI_DOUBLE, MPI_SUM, 0, communicator);
    MPI_Reduce(&moved, &moved_of_all, 1, MPI_DOUBLE, MPI_SUM, 0, communicator);
    if (rank == 0)
        std::printf("%-24s largest load %g, average %g; %g moved\n", how, most, all / ranks,
                    moved_of_all);
}
