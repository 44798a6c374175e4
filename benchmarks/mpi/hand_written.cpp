#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "benchmarks/mpi/methods.hpp"
#include "equipoise/base/large_pages.hpp"

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

/// What this rank has above its share, and lacks below it, of all ranks' surpluses and deficits in
/// line.
using Stretches = std::array<Stretch, 2>;

void exchange(MPI_Comm communicator, MPI_Datatype type, const Stretches& mine,
              const std::vector<Stretches>& all, long long target, Items& items) {
    const auto count = static_cast<long long>(items.size());
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

long long share_of(int rank, int ranks, long long total) {
    return total / ranks + (rank < total % ranks ? 1 : 0);
}

void level(MPI_Comm communicator, MPI_Datatype type, Items& items) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    const long long count = static_cast<long long>(items.size());
    long long total = 0;
    MPI_Allreduce(&count, &total, 1, MPI_LONG_LONG, MPI_SUM, communicator);
    const long long target = share_of(rank, ranks, total);
    const std::array<long long, 2> lengths = {std::max(0LL, count - target),
                                              std::max(0LL, target - count)};
    std::array<long long, 2> firsts = {0, 0};
    MPI_Exscan(lengths.data(), firsts.data(), 2, MPI_LONG_LONG, MPI_SUM, communicator);
    if (rank == 0) firsts = {0, 0};
    const Stretches mine = {Stretch{firsts[0], lengths[0]}, Stretch{firsts[1], lengths[1]}};
    std::vector<Stretches> all(static_cast<std::size_t>(ranks));
    MPI_Allgather(mine.data(), 4, MPI_LONG_LONG, all.data(), 4, MPI_LONG_LONG, communicator);
    exchange(communicator, type, mine, all, target, items);
}

// Two reductions as long as the balancer's votes (a tally of 14 words, in the first also six words
// of each rank, among which the counts are), and memory in large pages: what no exchange can do
// without on which all ranks agree, and nothing else.
void level_with_votes(MPI_Comm communicator, MPI_Datatype type, Items& items) {
    constexpr std::size_t tally = 14;
    constexpr std::size_t words_a_rank = 6;
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    std::vector<long long> mine(tally + words_a_rank * static_cast<std::size_t>(ranks), 0);
    std::vector<long long> all(mine.size());
    mine[tally + words_a_rank * static_cast<std::size_t>(rank)] =
        static_cast<long long>(items.size());
    MPI_Allreduce(mine.data(), all.data(), static_cast<int>(mine.size()), MPI_LONG_LONG, MPI_SUM,
                  communicator);
    std::vector<long long> counts;
    for (std::size_t at = tally; at < all.size(); at += words_a_rank)
        counts.push_back(all[at]);
    const long long total = std::accumulate(counts.begin(), counts.end(), 0LL);
    std::vector<Stretches> stretches;
    std::array<long long, 2> firsts = {0, 0};
    for (int other = 0; other < ranks; ++other) {
        const long long above =
            counts[static_cast<std::size_t>(other)] - share_of(other, ranks, total);
        const std::array<long long, 2> lengths = {std::max(0LL, above), std::max(0LL, -above)};
        stretches.push_back({Stretch{firsts[0], lengths[0]}, Stretch{firsts[1], lengths[1]}});
        firsts[0] += lengths[0];
        firsts[1] += lengths[1];
    }
    const auto target = static_cast<std::size_t>(share_of(rank, ranks, total));
    if (target > items.size()) {
        Items room;
        room.reserve(equipoise::bytes_to_reserve(target * sizeof(Item)) / sizeof(Item));
        equipoise::prefer_large_pages(room.data(), room.capacity() * sizeof(Item),
                                      target * sizeof(Item));
        room.insert(room.end(), items.begin(), items.end());
        items = std::move(room);
    }
    MPI_Allreduce(mine.data(), all.data(), static_cast<int>(tally), MPI_LONG_LONG, MPI_SUM,
                  communicator);
    exchange(communicator, type, stretches[static_cast<std::size_t>(rank)], stretches,
             static_cast<long long>(target), items);
}

}  // namespace

std::vector<Method> hand_written(MPI_Comm communicator) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(sizeof(Item), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    return {{"by hand", [=](Items& items) { level(communicator, type, items); }},
            {"by hand, with votes",
             [=](Items& items) { level_with_votes(communicator, type, items); }}};
}

}  // namespace rebalance_benchmark
