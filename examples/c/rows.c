// Rows move within memory of the program's own: an array with room to spare, which stays where it
// is.
#include <equipoise_rows.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double x, y;
    int cell;
} particle;

enum { room = 1000 };

int main(int argc, char** argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    particle* particles = malloc(room * sizeof *particles);
    double charges[room];
    int64_t count = rank == 0 ? room / ranks * ranks : 0;
    for (int64_t i = 0; i < count; ++i) {
        particles[i] = (particle){(double)i, 0, 0};
        charges[i] = -(double)i;
    }

    equipoise_rows rows[2] = {{particles, count, room, sizeof *particles, 0, NULL},
                              {charges, count, room, sizeof *charges, 0, NULL}};
    if (equipoise_rebalance_rows(MPI_COMM_WORLD, rows, 2, NULL, NULL)) {
        fprintf(stderr, "%s\n", equipoise_error_text());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    int together = 1;
    for (int64_t i = 0; i < rows[0].held; ++i)
        together = together && charges[i] == -particles[i].x;
    printf("rank %d: %d particles, %s\n", rank, (int)rows[0].held,
           together ? "with their charges" : "with others' charges");
    free(particles);
    MPI_Finalize();
    return 0;
}
