// Columns of a climate model: those by day cost five times those by night. For the costly part of a
// step they are lent; then all are home again, with their results.
#include <equipoise.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double temperature[30];
    int lit;
} column;

int main(int argc, char** argv) {
    int rank, ranks, error;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int64_t count = 100;
    column* columns = calloc(count, sizeof *columns);
    double* costs = malloc(count * sizeof *costs);
    for (int i = 0; i < count; ++i) {
        columns[i].lit = rank == 0;  // the sun shines on the columns of rank 0
        costs[i] = columns[i].lit ? 5 : 1;
    }

    equipoise_options options = EQUIPOISE_OPTIONS_INIT;
    options.policy = EQUIPOISE_WEIGHTED;
    options.weights = costs;
    equipoise_loan* loan = NULL;
    error = equipoise_loan_make(MPI_COMM_WORLD, count, &options, &loan);
    for (int step = 0; step < 3 && !error; ++step) {
        error = equipoise_lend(loan, &columns, &count, sizeof *columns, NULL, NULL);
        if (error) break;
        for (int i = 0; i < count; ++i)  // own ones and borrowed ones
            columns[i].temperature[0] += columns[i].lit;
        error = equipoise_give_back(loan, &columns, &count, sizeof *columns, NULL, NULL);
    }
    if (error)
        fprintf(stderr, "%s\n", equipoise_error_text());
    else
        printf("rank %d: %d columns, %g degrees warmer\n", rank, (int)count,
               columns[0].temperature[0]);
    equipoise_loan_free(&loan);
    free(columns);
    free(costs);
    MPI_Finalize();
    return error;
}
