#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include <mpi.h>

struct Particle {
    std::array<double, 3> position;
    std::array<double, 3> velocity;
};

// How far [a, a + length) and [b, b + other) overlap.
int overlap(long a, long length, long b, long other) {
    return static_cast<int>(std::max(0L, std::min(a + length, b + other) - std::max(a, b)));
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<Particle> particles(rank == 0 ? 100001 : 50);

    // What every rank has, and how much that is above or below its share.
    const long mine = static_cast<long>(particles.size());
    std::vector<long> counts(ranks);
    MPI_Allgather(&mine, 1, MPI_LONG, counts.data(), 1, MPI_LONG, MPI_COMM_WORLD);
    long total = 0;
    for (const long count : counts)
        total += count;
    const auto share = [&](int r) { return total / ranks + (r < total % ranks ? 1 : 0); };
    const auto above = [&](int r) { return std::max(0L, counts[r] - share(r)); };
    const auto below = [&](int r) { return std::max(0L, share(r) - counts[r]); };

    // All surpluses on one line, all deficits on another: items go where they overlap.
    long my_surplus = 0;
    long my_deficit = 0;
    for (int r = 0; r < rank; ++r) {
        my_surplus += above(r);
        my_deficit += below(r);
    }
    std::vector<int> sent(ranks);
    std::vector<int> received(ranks);
    long surplus = 0;
    long deficit = 0;
    for (int r = 0; r < ranks; ++r) {
        sent[r] = overlap(my_surplus, above(rank), deficit, below(r));
        received[r] = overlap(my_deficit, below(rank), surplus, above(r));
        surplus += above(r);
        deficit += below(r);
    }
    const int kept = static_cast<int>(std::min(mine, share(rank)));
    std::vector<int> sent_from(ranks, kept);
    std::vector<int> received_at(ranks, kept);
    for (int r = 1; r < ranks; ++r) {
        sent_from[r] = sent_from[r - 1] + sent[r - 1];
        received_at[r] = received_at[r - 1] + received[r - 1];
    }

    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(sizeof(Particle), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    particles.resize(std::max(mine, share(rank)));
    MPI_Alltoallv(particles.data(), sent.data(), sent_from.data(), type, particles.data(),
                  received.data(), received_at.data(), type, MPI_COMM_WORLD);
    particles.resize(share(rank));
    MPI_Type_free(&type);
    std::printf("rank %d: %zu particles of %.2f on average\n", rank, particles.size(),
                static_cast<double>(total) / ranks);
    MPI_Finalize();
}
