// Balances when that pays, as an advisor finds out from the seconds of the steps.
#include <equipoise.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank, error, balances = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int64_t count = 1000;
    int* tasks = calloc(count, sizeof *tasks);
    double* costs = malloc(count * sizeof *costs);
    for (int i = 0; i < count; ++i)
        costs[i] = rank == 0 ? 2 : 1;

    equipoise_advisor* advisor = NULL;
    error = equipoise_advisor_make(MPI_COMM_WORLD, &advisor);
    for (int step = 0; step < 50 && !error; ++step) {
        double seconds = 0;  // measured with MPI_Wtime() in a real program
        for (int i = 0; i < count; ++i)
            seconds += 1e-4 * costs[i];
        error = equipoise_advisor_step(advisor, seconds);
        if (error || !equipoise_advisor_worth_it(advisor, NULL)) continue;
        equipoise_report report = EQUIPOISE_REPORT_INIT;
        error = equipoise_rebalance_weighted(MPI_COMM_WORLD, &tasks, &costs, &count, sizeof *tasks,
                                             NULL, &report);
        if (error) break;
        equipoise_advisor_balanced(advisor, report.seconds_planning + report.seconds_moving);
        ++balances;
    }
    if (error)
        fprintf(stderr, "%s\n", equipoise_error_text());
    else if (rank == 0)
        printf("balanced after %d of 50 steps\n", balances);
    equipoise_advisor_free(&advisor);
    free(tasks);
    free(costs);
    MPI_Finalize();
    return error;
}
