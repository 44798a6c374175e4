// Moves items by an MPI_Alltoallv of one's own: the plan says which, where to and in which order.
#include <equipoise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
    int rank, ranks, error;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int64_t count = rank == 0 ? 100 * ranks : 0;
    double* items = malloc(count * sizeof *items);
    for (int64_t i = 0; i < count; ++i)
        items[i] = (double)i;

    equipoise_plan* plan = NULL;
    equipoise_exchange* lists = NULL;
    error = equipoise_plan_make(MPI_COMM_WORLD, count, NULL, &plan);
    if (!error) error = equipoise_plan_exchange(plan, &lists);
    if (error) {
        fprintf(stderr, "%s\n", equipoise_error_text());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    double* leaving = malloc(lists->sent * sizeof *items);
    double* arrived = malloc(lists->received * sizeof *items);
    for (int64_t i = 0; i < lists->sent; ++i)
        leaving[i] = items[lists->send_order[i]];
    MPI_Alltoallv(leaving, lists->send_counts, lists->send_offsets, MPI_DOUBLE, arrived,
                  lists->receive_counts, lists->receive_offsets, MPI_DOUBLE, MPI_COMM_WORLD);

    int64_t after = equipoise_plan_size_after(plan);
    double* fresh = malloc(after * sizeof *fresh);
    for (int64_t i = 0; i < lists->kept_runs; ++i)
        memcpy(fresh + lists->kept[i].to, items + lists->kept[i].from,
               lists->kept[i].items * sizeof *items);
    for (int64_t i = 0; i < lists->received; ++i)
        fresh[lists->receive_places[i]] = arrived[i];
    double sum = 0;
    for (int64_t i = 0; i < after; ++i)
        sum += fresh[i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double all = 50.0 * ranks * (100 * ranks - 1);
    printf("rank %d: %d items, %d sent, %s\n", rank, (int)after, (int)lists->sent,
           sum == all ? "none lost" : "some lost");
    free(items);
    free(leaving);
    free(arrived);
    free(fresh);
    equipoise_exchange_free(&lists);
    equipoise_plan_free(&plan);
    MPI_Finalize();
    return 0;
}
