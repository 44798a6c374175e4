#include <cstddef>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/mpi/fabric.hpp"
#include "tests/support/ranks.hpp"

namespace equipoise::test {

void on_ranks(const std::function<void(engine::Fabric&)>& play) {
    mpi::Fabric fabric(MPI_COMM_WORLD);
    play(fabric);
}

bool plays_case(int ranks, std::size_t which) {
    return ranks <= 4 || which % 5 == 0 || plays_all_cases();
}

// The same program may run on other numbers of ranks at the same time.
std::string shared_file(const std::string& name) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return testing::TempDir() + "mpi-" + std::to_string(ranks) + '-' + name;
}

}  // namespace equipoise::test
