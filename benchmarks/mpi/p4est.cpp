#include "benchmarks/mpi/methods.hpp"

#if defined(BENCHMARK_WITH_P4EST)
#include <p4est_communication.h>
#include <p4est_extended.h>
#endif

namespace rebalance_benchmark {

#if defined(BENCHMARK_WITH_P4EST)

namespace {

// p4est needs the offsets of all ranks before and after, and a second array.
void level(MPI_Comm communicator, Items& items) {
    int ranks = 0;
    int rank = 0;
    MPI_Comm_size(communicator, &ranks);
    MPI_Comm_rank(communicator, &rank);
    const auto size = static_cast<std::size_t>(ranks);
    std::vector<p4est_gloidx_t> before(size + 1, 0);
    std::vector<p4est_gloidx_t> after(size + 1, 0);
    const p4est_gloidx_t count = static_cast<p4est_gloidx_t>(items.size());
    MPI_Allgather(&count, 1, P4EST_MPI_GLOIDX, &before[1], 1, P4EST_MPI_GLOIDX, communicator);
    for (std::size_t r = 0; r < size; ++r)
        before[r + 1] += before[r];
    for (std::size_t r = 0; r <= size; ++r)
        after[r] = static_cast<p4est_gloidx_t>(static_cast<std::size_t>(before[size]) * r / size);
    const auto mine = static_cast<std::size_t>(rank);
    Items fresh(static_cast<std::size_t>(after[mine + 1] - after[mine]));
    p4est_transfer_fixed(after.data(), before.data(), communicator, 1, fresh.data(), items.data(),
                         sizeof(Item));
    items.swap(fresh);
}

}  // namespace

std::vector<Method> p4est_methods(MPI_Comm communicator) {
    sc_init(communicator, 0, 0, nullptr, SC_LP_SILENT);
    p4est_init(nullptr, SC_LP_SILENT);
    return {{"p4est", [=](Items& items) { level(communicator, items); }}};
}

#else

std::vector<Method> p4est_methods(MPI_Comm /*communicator*/) {
    return {};
}

#endif

}  // namespace rebalance_benchmark
