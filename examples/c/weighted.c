// Levels what items cost rather than their number; the costs move with the items.
#include <equipoise.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int64_t count = 60;
    int* tasks = malloc(count * sizeof *tasks);
    double* seconds = malloc(count * sizeof *seconds);
    for (int i = 0; i < count; ++i) {
        tasks[i] = 60 * rank + i;
        seconds[i] = rank == 0 ? 1.0 : 0.25;  // the tasks of rank 0 cost most
    }

    equipoise_report report = EQUIPOISE_REPORT_INIT;
    int error = equipoise_rebalance_weighted(MPI_COMM_WORLD, &tasks, &seconds, &count,
                                             sizeof *tasks, NULL, &report);
    if (error)
        fprintf(stderr, "%s\n", equipoise_error_text());
    else if (rank == 0)
        printf("%g seconds on average, at most %g above it\n", report.weight_after.average,
               report.weight_after.most - report.weight_after.average);
    free(tasks);
    free(seconds);
    MPI_Finalize();
    return error;
}
