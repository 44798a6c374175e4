// Rows move within memory that the program owns: a vector with room to spare, and a field of
// structures that it does not copy.
// Build: the target example_rows_in_place, or as examples/README.md says; run it on 4 ranks.
// Look at the address: it is the same afterwards, and so is the other field.

#include <cstddef>
#include <cstdio>
#include <vector>

#include <mpi.h>

#include <equipoise/balancer/room.hpp>

namespace balancer = equipoise::balancer;

struct Cell {
    double position = 0;
    int scratch = 7;  // of this place, not of the particle in it
};

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // Room for 1,000 particles on each rank; rank 1 has 600, the others 100.
    const std::size_t held = rank == 1 ? 600 : 100;
    std::vector<Cell> cells(1000);
    std::vector<float> charges(1000);
    for (std::size_t i = 0; i < held; ++i) {
        cells[i].position = 1000.0 * rank + static_cast<double>(i);
        charges[i] = static_cast<float>(cells[i].position);
    }
    const Cell* const there = cells.data();

    std::vector<balancer::Rows> rows = {
        balancer::rows_of(&cells[0].position, held, cells.size(), sizeof(Cell)),
        balancer::rows_of(charges, held)};
    balancer::rebalance_rows(MPI_COMM_WORLD, rows, {.items_max = rows[0].room});
    const auto now = static_cast<std::size_t>(rows[0].held);

    bool right = there == cells.data();
    for (std::size_t i = 0; i < now; ++i)
        right = right && charges[i] == static_cast<float>(cells[i].position);
    for (const Cell& cell : cells)
        right = right && cell.scratch == 7;
    std::printf("rank %d: %zu particles, %s\n", rank, now, right ? "in place" : "damaged");
    MPI_Finalize();
}
