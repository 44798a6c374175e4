// A partitioner gives every item a new part. Which rank gets which part? Those that move the fewest
// bytes.
#include <equipoise.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int64_t count = 100;
    double* items = calloc(count, sizeof *items);
    int* part = malloc(count * sizeof *part);
    for (int i = 0; i < count; ++i)  // most items of rank r are in part r + 1 now
        part[i] = (rank + (i < 90 ? 1 : 0)) % ranks;

    equipoise_plan* plan = NULL;
    equipoise_relabelling found = EQUIPOISE_RELABELLING_INIT;
    int error = equipoise_relabel(MPI_COMM_WORLD, count, part, NULL, NULL, &found);
    if (!error) error = equipoise_plan_make_to(MPI_COMM_WORLD, count, part, NULL, &plan);
    if (!error) error = equipoise_plan_replace(plan, &items, &count, sizeof *items, NULL, NULL);
    if (error)
        fprintf(stderr, "%s\n", equipoise_error_text());
    else
        printf("rank %d: %d items; %d moved, part p on rank p would have moved %d\n", rank,
               (int)count, (int)found.moved, (int)found.moved_by_identity);
    equipoise_plan_free(&plan);
    free(items);
    free(part);
    MPI_Finalize();
    return error;
}
