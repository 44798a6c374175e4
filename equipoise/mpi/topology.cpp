#include "equipoise/mpi/topology.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

#include <mpi.h>

#include "equipoise/base/error.hpp"
#include "equipoise/mpi/agreement.hpp"
#include "equipoise/mpi/binding.hpp"
#include "equipoise/mpi/error.hpp"

namespace equipoise::mpi {

namespace {

std::vector<int> cart_neighbours(MPI_Comm communicator) {
    int dimensions = 0;
    check(MPI_Cartdim_get(communicator, &dimensions), "MPI_Cartdim_get");
    std::vector<int> neighbours;
    for (int dimension = 0; dimension < dimensions; ++dimension) {
        int before = MPI_PROC_NULL;
        int after = MPI_PROC_NULL;
        check(MPI_Cart_shift(communicator, dimension, 1, &before, &after), "MPI_Cart_shift");
        neighbours.push_back(before);
        neighbours.push_back(after);
    }
    return neighbours;
}

std::vector<int> graph_neighbours(MPI_Comm communicator, int rank) {
    int count = 0;
    check(MPI_Graph_neighbors_count(communicator, rank, &count), "MPI_Graph_neighbors_count");
    std::vector<int> neighbours(static_cast<std::size_t>(count));
    check(MPI_Graph_neighbors(communicator, rank, count, neighbours.data()), "MPI_Graph_neighbors");
    return neighbours;
}

std::vector<int> dist_graph_neighbours(MPI_Comm communicator) {
    int in = 0;
    int out = 0;
    int weighted = 0;
    check(MPI_Dist_graph_neighbors_count(communicator, &in, &out, &weighted),
          "MPI_Dist_graph_neighbors_count");
    std::vector<int> neighbours(static_cast<std::size_t>(in) + static_cast<std::size_t>(out));
    std::vector<int> weights(neighbours.size());
    check(MPI_Dist_graph_neighbors(communicator, in, neighbours.data(), weights.data(), out,
                                   neighbours.data() + in, weights.data() + in),
          "MPI_Dist_graph_neighbors");
    return neighbours;
}

int topology_kind(const Communicator& communicator) {
    int kind = MPI_UNDEFINED;
    check(MPI_Topo_test(communicator.callers(), &kind), "MPI_Topo_test");
    return kind;
}

// Words (lower rank, higher rank) of this rank's links.
std::vector<std::int64_t> own_links(const Communicator& communicator) {
    expect_topology(communicator);
    const int kind = topology_kind(communicator);
    std::vector<int> neighbours;
    if (kind == MPI_CART)
        neighbours = cart_neighbours(communicator.callers());
    else if (kind == MPI_GRAPH)
        neighbours = graph_neighbours(communicator.callers(), communicator.rank());
    else
        neighbours = dist_graph_neighbours(communicator.callers());
    std::vector<std::int64_t> words;
    for (const int other : neighbours) {
        if (other == MPI_PROC_NULL || other == communicator.rank()) continue;
        words.push_back(std::min(other, communicator.rank()));
        words.push_back(std::max(other, communicator.rank()));
    }
    return words;
}

// The machine names of all ranks.
std::vector<std::string> processor_names(const Communicator& communicator) {
    std::array<char, MPI_MAX_PROCESSOR_NAME> mine{};
    int length = 0;
    check(MPI_Get_processor_name(mine.data(), &length), "MPI_Get_processor_name");
    const auto ranks = static_cast<std::size_t>(communicator.size());
    std::vector<char> all(ranks * mine.size());
    check(MPI_Allgather(mine.data(), static_cast<int>(mine.size()), MPI_CHAR, all.data(),
                        static_cast<int>(mine.size()), MPI_CHAR, communicator.raw()),
          "MPI_Allgather");
    std::vector<std::string> names;
    for (std::size_t rank = 0; rank < ranks; ++rank)
        names.emplace_back(all.data() + rank * mine.size());
    return names;
}

std::string library_name() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    check(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
    const std::string whole = text.data();
    return whole.substr(0, whole.find_first_of(",\n\t"));
}

}  // namespace

Topology topology_of(const Communicator& communicator) {
    Topology topology;
    topology.library = library_name();
    int major = 0;
    int minor = 0;
    check(MPI_Get_version(&major, &minor), "MPI_Get_version");
    topology.standard = std::to_string(major) + '.' + std::to_string(minor);
    topology.processors = processor_names(communicator);
    topology.resources.push_back({"machine", communicator.groups().machine});
#if defined(OMPI_MAJOR_VERSION)
    topology.resources.push_back({"board", communicator.groups_of_type(OMPI_COMM_TYPE_BOARD)});
#endif
    for (const Bound& bound : binding())
        topology.resources.push_back({bound.kind, communicator.groups_of_part(bound.part)});
    return topology;
}

Topology topology_of_all_ranks() {
    return topology_of(Communicator(MPI_COMM_WORLD));
}

int group_count(const SharedResource& resource) {
    return static_cast<int>(std::set<int>(resource.groups.begin(), resource.groups.end()).size());
}

void expect_topology(const Communicator& communicator) {
    const int kind = topology_kind(communicator);
    if (kind == MPI_CART || kind == MPI_GRAPH || kind == MPI_DIST_GRAPH) return;
    throw InputError(
        "expected a communicator with a topology, one from MPI_Cart_create, MPI_Graph_create or "
        "MPI_Dist_graph_create, found one without");
}

const std::vector<Ends>& gather_links(const Communicator& communicator) {
    if (const std::vector<Ends>* const known = communicator.links()) return *known;
    const auto ranks = static_cast<std::size_t>(communicator.size());
    std::vector<std::int64_t> mine;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> words;
    std::vector<int> counts;
    std::vector<int> firsts;
    std::vector<Ends> links;
    engine::LocalFailure failure;
    failure.guard([&] {
        mine = own_links(communicator);
        sizes.resize(ranks);
        counts.resize(ranks);
        firsts.resize(ranks);
    });
    engine::Ballot ballot;
    constexpr const char* call = "gathering the links of a topology";
    ballot.must_be_equal = digest_of(call);
    ballot.describe = [&] { return std::string(call); };
    ballot.sum = static_cast<std::int64_t>(mine.size());
    const auto total = static_cast<std::size_t>(agree(communicator, failure, ballot).sum);
    failure.guard([&] {
        words.resize(total);
        links.reserve(total / 2);
    });
    agree(communicator, failure, call);
    communicator.all_gather(std::array{static_cast<std::int64_t>(mine.size())}, sizes);
    int next = 0;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        counts[rank] = static_cast<int>(sizes[rank]);
        firsts[rank] = next;
        next += counts[rank];
    }
    communicator.all_gather(mine, words, counts, firsts);
    for (std::size_t word = 0; word < words.size(); word += 2)
        links.push_back({static_cast<NodeId>(words[word]), static_cast<NodeId>(words[word + 1])});
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    communicator.keep_links(std::move(links));
    return *communicator.links();
}

network::Network network_of(const Communicator& communicator) {
    return {static_cast<NodeId>(communicator.size()), gather_links(communicator)};
}

}  // namespace equipoise::mpi
