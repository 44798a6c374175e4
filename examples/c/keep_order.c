// Levels the rows of a matrix that is distributed by rows: rank after rank, they keep their order.
#include <equipoise.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int64_t count = rank == ranks - 1 ? 100 * ranks : 0;  // all of them on the last rank
    double(*rows)[3] = malloc(count * sizeof *rows);
    for (int64_t i = 0; i < count; ++i)
        rows[i][0] = rows[i][1] = rows[i][2] = (double)i;

    equipoise_options options = EQUIPOISE_OPTIONS_INIT;
    options.policy = EQUIPOISE_KEEP_ORDER;
    int error = equipoise_rebalance(MPI_COMM_WORLD, &rows, &count, sizeof *rows, &options, NULL);
    if (error)
        fprintf(stderr, "%s\n", equipoise_error_text());
    else
        printf("rank %d: rows %g to %g\n", rank, rows[0][0], rows[count - 1][2]);
    free(rows);
    MPI_Finalize();
    return error;
}
