// Lends copies of cells that are costly on one rank: the cells stay where they are, and only
// results, of a type of their own, come home.
#include <equipoise.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double state[20];
} cell;

int main(int argc, char** argv) {
    int rank, error;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int64_t count = rank == 0 ? 100 : 10;
    cell* cells = calloc(count, sizeof *cells);
    for (int i = 0; i < count; ++i)
        cells[i].state[0] = i;

    equipoise_loan* loan = NULL;
    cell* copies = NULL;
    float* results = NULL;
    int64_t lent = 0;
    error = equipoise_loan_make(MPI_COMM_WORLD, count, NULL, &loan);
    if (!error)
        error =
            equipoise_lend_copies(loan, cells, count, sizeof *cells, &copies, &lent, NULL, NULL);
    if (!error) {
        results = malloc(lent * sizeof *results);
        for (int i = 0; i < lent; ++i)  // own ones and borrowed ones
            results[i] = (float)(2 * copies[i].state[0]);
        error = equipoise_give_back(loan, &results, &lent, sizeof *results, NULL, NULL);
    }
    if (error) {
        fprintf(stderr, "%s\n", equipoise_error_text());
    } else {
        int right = lent == count;
        for (int i = 0; right && i < count; ++i)
            right = results[i] == 2 * i && cells[i].state[0] == i;
        printf("rank %d: %d results, %s\n", rank, (int)lent, right ? "each its cell's" : "mixed");
    }
    equipoise_loan_free(&loan);
    free(cells);
    free(copies);
    free(results);
    MPI_Finalize();
    return error;
}
