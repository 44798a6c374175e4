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

std::string shared_file(const std::string& name) {
    return testing::TempDir() + "mpi-" + name;
}

}  // namespace equipoise::test
