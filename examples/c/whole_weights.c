// Levels whole weights: the points of cells, as the program counts them.
#include <equipoise.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int64_t count = 60;
    int* cells = malloc(count * sizeof *cells);
    int32_t* points = malloc(count * sizeof *points);
    for (int i = 0; i < count; ++i) {
        cells[i] = 60 * rank + i;
        points[i] = rank == 0 ? 100 : 10;  // the cells of rank 0 have most
    }

    equipoise_options options = EQUIPOISE_OPTIONS_INIT;
    options.weights_type = EQUIPOISE_INT32;
    equipoise_report report = EQUIPOISE_REPORT_INIT;
    int error = equipoise_rebalance_weighted(MPI_COMM_WORLD, &cells, &points, &count, sizeof *cells,
                                             &options, &report);
    if (error)
        fprintf(stderr, "%s\n", equipoise_error_text());
    else if (rank == 0)
        printf("%g points on average, at most %g above it\n", report.weight_after.average,
               report.weight_after.most - report.weight_after.average);
    free(cells);
    free(points);
    MPI_Finalize();
    return error;
}
