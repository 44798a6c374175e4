#pragma once
// The ways of levelling that are compared. Each takes the items of this rank and replaces them; all
// are collective over the communicator for which they were made.

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <mpi.h>

namespace rebalance_benchmark {

/// 64 bytes.
struct Item {
    std::uint64_t number = 0;
    std::array<std::uint64_t, 7> payload = {};
};

using Items = std::vector<Item>;

struct Method {
    std::string name;
    std::function<void(Items&)> level;
};

/// Allreduce, Exscan, Allgather and Alltoallv of the surpluses, as one would write it by hand; and
/// the same Alltoallv between the two votes and in the large pages of our balancer: what is left
/// for it to gain.
[[nodiscard]] std::vector<Method> hand_written(MPI_Comm communicator);
/// How many ranks with consecutive numbers share a simulated machine.
[[nodiscard]] int ranks_a_machine(MPI_Comm communicator);
/// Our policies; hierarchical on the simulated machines.
[[nodiscard]] std::vector<Method> equipoise_policies(MPI_Comm communicator);
/// Zoltan's BLOCK, RCB and HSFC (coordinates in the order of owners) with migration callbacks;
/// empty if Zoltan was not found.
[[nodiscard]] std::vector<Method> zoltan_methods(MPI_Comm communicator);
/// p4est_transfer_fixed between offset arrays; empty if p4est was not found.
[[nodiscard]] std::vector<Method> p4est_methods(MPI_Comm communicator);

}  // namespace rebalance_benchmark
