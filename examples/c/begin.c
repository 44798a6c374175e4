// Computes while items travel: the boundary of this rank's domain, which no item belongs to.
#include <equipoise.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank, ranks, error;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int64_t count = rank == 0 ? 50 * ranks : 0;  // all of them on rank 0
    double* items = malloc(count * sizeof *items);
    for (int i = 0; i < count; ++i)
        items[i] = 1;

    equipoise_plan* plan = NULL;
    error = equipoise_plan_make(MPI_COMM_WORLD, count, NULL, &plan);
    const int64_t size = error ? 0 : equipoise_plan_size_after(plan);
    double* arrived = malloc(size * sizeof *arrived);
    equipoise_array array = {items, arrived, sizeof *items};
    equipoise_moving* moving = NULL;
    double boundary = 0;
    if (!error) error = equipoise_plan_begin(plan, &array, 1, &moving);
    if (!error) {
        for (int i = 1; i <= 1000; ++i)  // anything but what uses the two arrays
            boundary += 1.0 / (i * (i + 1.0));
        error = equipoise_end(&moving, NULL);
    }
    if (error) {
        fprintf(stderr, "%s\n", equipoise_error_text());
    } else {
        double sum = 0;
        for (int i = 0; i < size; ++i)
            sum += arrived[i];
        printf("rank %d: %g items, boundary %.2f\n", rank, sum, boundary);
    }
    equipoise_plan_free(&plan);
    free(items);
    free(arrived);
    MPI_Finalize();
    return error;
}
