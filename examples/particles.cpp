// Tracers drift over a Cartesian grid of ranks and pile up in a corner. The plain program gives a
// tracer to the rank in whose cell it is, so in the end one rank has all the work. But tracers do
// not interact, so any rank can advance any tracer. The balanced program evens them out every five
// steps.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include <mpi.h>

#include <equipoise/balancer/balancer.hpp>

struct Tracer {
    std::array<double, 2> place = {0, 0};  // in the unit square
    double age = 0;
};

struct Grid {
    MPI_Comm communicator = MPI_COMM_NULL;
    std::array<int, 2> cells = {0, 0};
    std::array<int, 2> cell = {0, 0};  // of this rank
};

// Cells farther from the corner (0, 0) produce more tracers; all drift there in curls.
void advance(const Grid& grid, std::vector<Tracer>& tracers) {
    for (int i = 0; i < 100 * (1 + grid.cell[0] + grid.cell[1]); ++i)
        tracers.push_back({{(grid.cell[0] + i % 7 / 7.0) / grid.cells[0],
                            (grid.cell[1] + i % 11 / 11.0) / grid.cells[1]}});
    for (Tracer& tracer : tracers) {
        for (int part = 0; part < 5; ++part) {
            for (const std::size_t axis : {0U, 1U}) {
                const double pull = 0.1 + 0.1 * std::sin(9 * tracer.place[1 - axis] + tracer.age);
                tracer.place[axis] += 0.016 * (pull - tracer.place[axis]);
            }
            tracer.age += 0.016;
        }
    }
}

// What the plain program needs: tracers that left the cell go to the neighbour on that side.
void hand_over(const Grid& grid, std::vector<Tracer>& tracers, std::size_t axis, int side) {
    const auto leaving = std::partition(tracers.begin(), tracers.end(), [&](const Tracer& tracer) {
        const int cell = static_cast<int>(tracer.place[axis] * grid.cells[axis]);
        return side * (cell - grid.cell[axis]) <= 0;
    });
    const std::vector<Tracer> sent(leaving, tracers.end());
    tracers.erase(leaving, tracers.end());
    std::array<int, 2> partners = {0, 0};
    const int bytes = static_cast<int>(sent.size() * sizeof(Tracer));
    int coming = 0;
    MPI_Cart_shift(grid.communicator, static_cast<int>(axis), side, partners.data(), &partners[1]);
    MPI_Sendrecv(&bytes, 1, MPI_INT, partners[1], 0, &coming, 1, MPI_INT, partners[0], 0,
                 grid.communicator, MPI_STATUS_IGNORE);
    const std::size_t before = tracers.size();
    tracers.resize(before + static_cast<std::size_t>(coming) / sizeof(Tracer));
    MPI_Sendrecv(sent.data(), bytes, MPI_BYTE, partners[1], 0, tracers.data() + before, coming,
                 MPI_BYTE, partners[0], 0, grid.communicator, MPI_STATUS_IGNORE);
}

void play(const Grid& grid, bool balanced) {
    std::vector<Tracer> tracers;
    double started = MPI_Wtime();
    for (int step = 1; step <= 60; ++step) {
        advance(grid, tracers);
        if (balanced && step % 5 == 0) equipoise::balancer::rebalance(grid.communicator, tracers);
        for (const std::size_t axis : {0U, 1U})
            for (const int side : {-1, 1})
                if (!balanced) hand_over(grid, tracers, axis, side);
        if (step % 20 != 0) continue;
        const long held = static_cast<long>(tracers.size());
        long most = 0;
        MPI_Reduce(&held, &most, 1, MPI_LONG, MPI_MAX, 0, grid.communicator);
        if (grid.cell[0] + grid.cell[1] == 0)
            std::printf("%s step %2d: %5.2f ms a step, at most %5ld tracers a rank\n",
                        balanced ? "balanced," : "by cells,", step,
                        1e3 * (MPI_Wtime() - started) / 20, most);
        started = MPI_Wtime();
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    Grid grid;
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, grid.cells.data());
    std::array<int, 2> closed = {0, 0};
    MPI_Cart_create(MPI_COMM_WORLD, 2, grid.cells.data(), closed.data(), 0, &grid.communicator);
    MPI_Cart_get(grid.communicator, 2, grid.cells.data(), closed.data(), grid.cell.data());
    play(grid, false);
    play(grid, true);
    MPI_Comm_free(&grid.communicator);
    MPI_Finalize();
}
