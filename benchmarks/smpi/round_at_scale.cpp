// Rounds at many ranks, by simulation: SimGrid's smpirun runs this program with as many ranks as it
// is told, in simulated time. benchmarks/smpi/rounds.py builds it, runs it and prints the results.
//
// usage (under smpirun): round_at_scale WIDTH ROWS        (a torus of WIDTH columns, ROWS a rank)

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include <mpi.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/protocols/diffusion.hpp"

namespace {

constexpr int rounds = 20;  // that are timed

using namespace equipoise;

void add_tallies(void* in, void* into, int* count, MPI_Datatype* /*type*/) {
    const auto* from = static_cast<const engine::Council::Tally*>(in);
    auto* to = static_cast<engine::Council::Tally*>(into);
    for (int i = 0; i < *count; ++i)
        to[i] += from[i];
}

/// The fabric of MPI with blocking calls: simulated time passes only in what the network does, not
/// between two checks whether a message has come, and collectives are those that the real MPI
/// would choose for blocking ones.
class SimulatedFabric : public engine::Fabric {
  public:
    SimulatedFabric() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
        MPI_Type_contiguous(static_cast<int>(sizeof(Tally)), MPI_BYTE, &tally_);
        MPI_Type_commit(&tally_);
        MPI_Op_create(add_tallies, 1, &add_);
    }
    ~SimulatedFabric() override {
        MPI_Op_free(&add_);
        MPI_Type_free(&tally_);
    }

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int ranks() const override { return ranks_; }

    [[nodiscard]] Tally reduce(const Tally& mine) override {
        Tally all;
        MPI_Allreduce(&mine, &all, 1, tally_, add_, MPI_COMM_WORLD);
        return all;
    }
    void broadcast(std::span<std::byte> bytes, int from) override {
        MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, from, MPI_COMM_WORLD);
    }
    void begin_exchange(std::span<const Outgoing> out, std::span<const Incoming> in) override {
        for (const auto& [from, bytes] : in)
            MPI_Irecv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, from, 0,
                      MPI_COMM_WORLD, &requests_.emplace_back());
        for (const auto& [to, bytes] : out)
            MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD,
                      &requests_.emplace_back());
    }
    void finish_exchange() override {
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
        requests_.clear();
    }

    // Rounds send no parcels.
    void send(int /*to*/, std::vector<std::byte> /*bytes*/) override { EQUIPOISE_ASSERT(false); }
    [[nodiscard]] bool takes(int /*to*/) override { return false; }
    bool receive(engine::Parcel& /*parcel*/) override { return false; }

  private:
    int rank_ = 0;
    int ranks_ = 1;
    MPI_Datatype tally_ = MPI_DATATYPE_NULL;
    MPI_Op add_ = MPI_OP_NULL;
    std::vector<MPI_Request> requests_;
};

/// Simulated seconds of `count` rounds of diffusion, from the first rank's begin to the last one's
/// end, with everything that a run does before and after its rounds.
double seconds_of(Step count, const network::Grid& torus, SimulatedFabric& fabric) {
    const engine::Partition partition =
        engine::Partition::contiguous(torus.node_count(), fabric.ranks());
    const NodeId first = partition.first(fabric.rank());
    load::Loads own(partition.size_of(fabric.rank()));
    for (std::size_t i = 0; i < own.size(); ++i)
        own[i] = static_cast<Tokens>((first + i) * 0x9E3779B97F4A7C15U >> 44U);
    engine::RoundOptions options;
    options.fabric = &fabric;
    options.stop.steps_max = count;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    const auto outcome = engine::run_in_pieces(protocols::Diffusion(0), engine::all_links_of(torus),
                                               own, torus, partition, options);
    double end = MPI_Wtime();  // the clocks of all ranks are one
    EQUIPOISE_ASSERT(outcome.costs.steps == count);
    MPI_Allreduce(MPI_IN_PLACE, &begin, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &end, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return end - begin;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    EQUIPOISE_ASSERT(argc == 3);
    {
        SimulatedFabric fabric;
        const auto width = static_cast<NodeId>(std::strtoul(argv[1], nullptr, 10));
        const auto rows = static_cast<NodeId>(std::strtoul(argv[2], nullptr, 10));
        const network::Grid torus({rows * static_cast<NodeId>(fabric.ranks()), width},
                                  network::Grid::Shape::torus);
        static_cast<void>(seconds_of(1, torus, fabric));  // what only a first run does
        const double few = seconds_of(2, torus, fabric);
        const double many = seconds_of(2 + rounds, torus, fabric);
        if (fabric.rank() == 0)
            std::printf("{\"ranks\": %d, \"width\": %u, \"seconds_a_round\": %.9f}\n",
                        fabric.ranks(), static_cast<unsigned>(width), (many - few) / rounds);
    }
    MPI_Finalize();
    return 0;
}
