// A program outside the project: everything on rank 0 of a ring, levelled over its links.
#include <equipoise.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int ranks = 0, rank = 0, periodic = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring);
    MPI_Comm_rank(ring, &rank);
    int64_t count = rank == 0 ? 100 * ranks : 0;
    int* items = calloc(count, sizeof *items);
    equipoise_use_neighbours();
    equipoise_options options = EQUIPOISE_OPTIONS_INIT;
    options.policy = EQUIPOISE_NEIGHBOURS_ONLY;
    options.algorithm = "discrepancy-1";
    int error = equipoise_rebalance(ring, &items, &count, sizeof *items, &options, NULL);
    free(items);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return error || count != 100;
}
