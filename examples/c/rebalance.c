// Levels items: every rank ends with its share.
#include <equipoise.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double position[3], velocity[3];
} particle;

int main(int argc, char** argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int64_t count = rank == 0 ? 200 * ranks : 0;  // all of them on rank 0
    particle* particles = calloc(count, sizeof *particles);

    equipoise_report report = EQUIPOISE_REPORT_INIT;
    int error =
        equipoise_rebalance(MPI_COMM_WORLD, &particles, &count, sizeof *particles, NULL, &report);
    if (error)
        fprintf(stderr, "%s\n", equipoise_error_text());  // the same on every rank
    else
        printf("rank %d: %d particles, %d moved\n", rank, (int)count, (int)report.moved);
    free(particles);
    MPI_Finalize();
    return error;
}
