#include "equipoise/balancer/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <mpi.h>

#include "equipoise/balancer/planning/flow_rounds.hpp"
#include "equipoise/balancer/planning/layout.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/run.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::balancer {

namespace {

std::vector<int> cart_neighbours(MPI_Comm communicator) {
    int dimensions = 0;
    mpi::check(MPI_Cartdim_get(communicator, &dimensions), "MPI_Cartdim_get");
    std::vector<int> neighbours;
    for (int dimension = 0; dimension < dimensions; ++dimension) {
        int before = MPI_PROC_NULL;
        int after = MPI_PROC_NULL;
        mpi::check(MPI_Cart_shift(communicator, dimension, 1, &before, &after), "MPI_Cart_shift");
        neighbours.push_back(before);
        neighbours.push_back(after);
    }
    return neighbours;
}

std::vector<int> graph_neighbours(MPI_Comm communicator, int rank) {
    int count = 0;
    mpi::check(MPI_Graph_neighbors_count(communicator, rank, &count), "MPI_Graph_neighbors_count");
    std::vector<int> neighbours(static_cast<std::size_t>(count));
    mpi::check(MPI_Graph_neighbors(communicator, rank, count, neighbours.data()),
               "MPI_Graph_neighbors");
    return neighbours;
}

std::vector<int> dist_graph_neighbours(MPI_Comm communicator) {
    int in = 0;
    int out = 0;
    int weighted = 0;
    mpi::check(MPI_Dist_graph_neighbors_count(communicator, &in, &out, &weighted),
               "MPI_Dist_graph_neighbors_count");
    std::vector<int> neighbours(static_cast<std::size_t>(in) + static_cast<std::size_t>(out));
    std::vector<int> weights(neighbours.size());
    mpi::check(MPI_Dist_graph_neighbors(communicator, in, neighbours.data(), weights.data(), out,
                                        neighbours.data() + in, weights.data() + in),
               "MPI_Dist_graph_neighbors");
    return neighbours;
}

// Words (lower rank, higher rank) of this rank's links.
std::vector<std::int64_t> own_links(const mpi::Communicator& communicator) {
    int kind = MPI_UNDEFINED;
    mpi::check(MPI_Topo_test(communicator.callers(), &kind), "MPI_Topo_test");
    std::vector<int> neighbours;
    if (kind == MPI_CART)
        neighbours = cart_neighbours(communicator.callers());
    else if (kind == MPI_GRAPH)
        neighbours = graph_neighbours(communicator.callers(), communicator.rank());
    else if (kind == MPI_DIST_GRAPH)
        neighbours = dist_graph_neighbours(communicator.callers());
    else
        throw InputError(
            "neighbours-only needs a communicator with a topology: expected one from "
            "MPI_Cart_create, MPI_Graph_create or MPI_Dist_graph_create");
    std::vector<std::int64_t> words;
    for (const int other : neighbours) {
        if (other == MPI_PROC_NULL || other == communicator.rank()) continue;
        words.push_back(std::min(other, communicator.rank()));
        words.push_back(std::max(other, communicator.rank()));
    }
    return words;
}

load::Loads whole_numbers(std::span<const double> speeds) {
    load::Loads whole;
    for (const double speed : speeds) {
        if (speed != std::floor(speed) || speed < 1 || speed > 1e9)
            throw InputError("neighbours-only takes speeds that are whole numbers up to 10^9");
        whole.push_back(static_cast<Tokens>(speed));
    }
    return whole;
}

}  // namespace

std::vector<Ends> gather_links(const mpi::Communicator& communicator) {
    const auto ranks = static_cast<std::size_t>(communicator.size());
    std::vector<std::int64_t> mine;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> words;
    std::vector<int> counts;
    std::vector<int> firsts;
    std::vector<Ends> links;
    mpi::LocalFailure failure;
    failure.guard(mpi::Failure::user_code, [&] {
        mine = own_links(communicator);
        sizes.resize(ranks);
        counts.resize(ranks);
        firsts.resize(ranks);
    });
    mpi::Ballot ballot;
    ballot.sum = static_cast<std::int64_t>(mine.size());
    const auto total = static_cast<std::size_t>(mpi::agree(communicator, failure, ballot).sum);
    failure.guard(mpi::Failure::user_code, [&] {
        words.resize(total);
        links.reserve(total / 2);
    });
    mpi::agree(communicator, failure);
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
    return links;
}

void plan_over_links(const std::vector<Ends>& links, std::span<const Tokens> counts,
                     std::span<const double> speeds, const std::string& algorithm,
                     Plan::Data& plan) {
    const network::Network network(static_cast<NodeId>(counts.size()), links);
    catalogue::RunOptions options;
    options.record_level = model::RecordLevel::full;
    options.speeds = whole_numbers(speeds);
    const load::Loads loads(counts.begin(), counts.end());
    const catalogue::Outcome outcome = catalogue::run(algorithm, network, loads, options);
    const bool items_survive = outcome.record.load_scale == 1 && outcome.record.created.empty() &&
                               outcome.record.destroyed.empty() &&
                               std::all_of(outcome.loads.begin(), outcome.loads.end(),
                                           [](Tokens load) { return load >= 0; });
    if (!items_survive)
        throw InputError(algorithm +
                         " deals in parts of items, dummies or debts, which are not to be had");

    std::vector<Transfer> transfers;
    transfers.reserve(outcome.record.transfers.size());
    for (const model::Transfer& transfer : outcome.record.transfers)
        transfers.push_back(
            {static_cast<int>(transfer.from), static_cast<int>(transfer.to), transfer.tokens});
    const int rank = plan.communicator.rank();
    Tokens size = plan.size_before;
    for (const auto& round : rounds_of(net_flows(transfers), counts)) {
        plan.rounds.push_back(layout_at_end(round, rank, size));
        size = plan.rounds.back().size_after;
        plan.transfers.insert(plan.transfers.end(), round.begin(), round.end());
    }
}

}  // namespace equipoise::balancer
