// A plan: looked at first, then executed on two arrays that belong together.
#include <equipoise.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank, ranks, error;
    char text[2000];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int64_t count = rank == 0 ? 50 * ranks : 0;
    float* x = calloc(count, sizeof *x);
    int* cell = calloc(count, sizeof *cell);

    equipoise_plan* plan = NULL;
    error = equipoise_plan_make(MPI_COMM_WORLD, count, NULL, &plan);
    if (error) goto failed;
    equipoise_plan_describe(plan, text, sizeof text);
    if (rank == 0) printf("%s", text);

    const equipoise_costs costs = {2e-6, 100, 1e-7, 1e-6};  // in seconds; for 100 steps
    equipoise_verdict pays;
    error = equipoise_plan_worth_it(plan, &costs, &pays);
    if (error) goto failed;
    if (pays.worth) {
        int64_t after = equipoise_plan_size_after(plan);
        const equipoise_array arrays[2] = {{x, malloc(after * sizeof *x), sizeof *x},
                                           {cell, malloc(after * sizeof *cell), sizeof *cell}};
        error = equipoise_plan_execute(plan, arrays, 2, NULL);
        if (error) goto failed;
        free(x);
        free(cell);
        x = arrays[0].to;
        cell = arrays[1].to;
        count = after;
    }
    printf("rank %d: %d particles\n", rank, (int)count);
failed:
    if (error) fprintf(stderr, "%s\n", equipoise_error_text());
    equipoise_plan_free(&plan);
    free(x);
    free(cell);
    MPI_Finalize();
    return error;
}
