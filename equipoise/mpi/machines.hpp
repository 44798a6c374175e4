#pragma once
// The machines that ranks run on, in a form that can be read without MPI.

#include <string>
#include <vector>

namespace equipoise::mpi {

/// Ranks that share a part of a machine.
struct SharedResource {
    std::string name;         ///< "machine", "socket", "numa", "core", ...
    std::vector<int> groups;  ///< by rank: the smallest rank that shares it; empty: ranks are not
                              ///< bound to one, or this is unknown
};

/// The machines and parts of machines on which the ranks of a communicator run.
struct Topology {
    std::string library;                  ///< the first line of MPI's own name
    std::string standard;                 ///< "3.1"
    std::vector<std::string> processors;  ///< by rank: the name of its machine
    /// Machines and their parts, from coarse to fine.
    std::vector<SharedResource> resources;
};

/// The machines of all ranks. Collective; the same on every rank. MPI must be running.
[[nodiscard]] Topology topology_of_all_ranks();

/// The number of different groups.
[[nodiscard]] int group_count(const SharedResource& resource);

}  // namespace equipoise::mpi
