// Items with memory of their own: every item travels in exactly the bytes that it needs.
#include <equipoise.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int size;
    double* values;
} task;

static int pack(const void* item, equipoise_writer* out, void* context) {
    const task* from = item;
    (void)context;
    equipoise_write(out, &from->size, sizeof from->size);
    return equipoise_write(out, from->values, from->size * sizeof(double));
}

static int unpack(void* item, equipoise_reader* in, void* context) {
    task* to = item;
    (void)context;
    if (equipoise_read(in, &to->size, sizeof to->size)) return 1;
    to->values = malloc(to->size * sizeof(double));
    if (to->values == NULL) return 2;  // every rank then learns that unpack() returned 2
    return equipoise_read(in, to->values, to->size * sizeof(double));
}

static void release(void* item, void* context) {
    (void)context;
    free(((task*)item)->values);
}

int main(int argc, char** argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int64_t count = rank == 0 ? 100 * ranks : 0;
    task* tasks = malloc(count * sizeof *tasks);
    for (int i = 0; i < count; ++i) {
        tasks[i].size = i % 10;
        tasks[i].values = calloc(i % 10, sizeof(double));
    }

    const equipoise_packing packing = {pack, unpack, release, NULL};
    equipoise_options options = EQUIPOISE_OPTIONS_INIT;
    options.packing = &packing;
    int error = equipoise_rebalance(MPI_COMM_WORLD, &tasks, &count, sizeof *tasks, &options, NULL);
    if (error)
        fprintf(stderr, "%s\n", equipoise_error_text());
    else
        printf("rank %d: %d tasks\n", rank, (int)count);
    for (int64_t i = 0; i < count; ++i)
        release(&tasks[i], NULL);
    free(tasks);
    MPI_Finalize();
    return error;
}
