#include <algorithm>
#include <array>

#include "benchmarks/mpi/methods.hpp"

namespace rebalance_benchmark {

namespace {

// Where a surplus (or deficit) begins on the common line, and how long it is.
struct Stretch {
    long long first = 0;
    long long length = 0;
};

int overlap(const Stretch& a, const Stretch& b) {
    const long long first = std::max(a.first, b.first);
    const long long last = std::min(a.first + a.length, b.first + b.length);
    return static_cast<int>(std::max(0LL, last - first));
}

void level(MPI_Comm communicator, MPI_Datatype type, Items& items) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    const long long count = static_cast<long long>(items.size());
    long long total = 0;
    MPI_Allreduce(&count, &total, 1, MPI_LONG_LONG, MPI_SUM, communicator);
    const long long target = total / ranks + (rank < total % ranks ? 1 : 0);
    const std::array<long long, 2> lengths = {std::max(0LL, count - target),
                                              std::max(0LL, target - count)};
    std::array<long long, 2> firsts = {0, 0};
    MPI_Exscan(lengths.data(), firsts.data(), 2, MPI_LONG_LONG, MPI_SUM, communicator);
    if (rank == 0) firsts = {0, 0};
    const std::array<Stretch, 2> mine = {Stretch{firsts[0], lengths[0]},
                                         Stretch{firsts[1], lengths[1]}};
    std::vector<std::array<Stretch, 2>> all(static_cast<std::size_t>(ranks));
    MPI_Allgather(mine.data(), 4, MPI_LONG_LONG, all.data(), 4, MPI_LONG_LONG, communicator);

    std::vector<int> sent;
    std::vector<int> received;
    std::vector<int> sent_from;
    std::vector<int> received_at;
    int next_sent = static_cast<int>(std::min(count, target));
    int next_received = next_sent;
    for (const auto& [surplus, deficit] : all) {
        sent.push_back(overlap(mine[0], deficit));
        received.push_back(overlap(mine[1], surplus));
        sent_from.push_back(next_sent);
        received_at.push_back(next_received);
        next_sent += sent.back();
        next_received += received.back();
    }
    if (target > count) items.resize(static_cast<std::size_t>(target));
    MPI_Alltoallv(items.data(), sent.data(), sent_from.data(), type, items.data(), received.data(),
                  received_at.data(), type, communicator);
    items.resize(static_cast<std::size_t>(target));
}

}  // namespace

Method hand_written(MPI_Comm communicator) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(sizeof(Item), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    return {"by hand", [=](Items& items) { level(communicator, type, items); }};
}

}  // namespace rebalance_benchmark
