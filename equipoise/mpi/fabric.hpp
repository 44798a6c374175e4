#pragma once
// The ranks of a communicator, as the processes that play one run together.

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include <mpi.h>

#include "equipoise/engine/fabric.hpp"
#include "equipoise/mpi/communicator.hpp"
#include "equipoise/mpi/messages.hpp"

namespace equipoise::mpi {

/// A fabric on MPI.
///
///     mpi::Fabric fabric(MPI_COMM_WORLD);
///     options.fabric = &fabric;                       // of RunOptions or RoundOptions, on all
///     equipoise::run("threshold-1", network, loads, options);                        // ranks
/// Ranks that wait soon yield their processor to others. Parcels are sent without blocking and
/// found by probing. If MPI itself fails, throws MpiError, on one rank.
class Fabric : public engine::Fabric {
  public:
    /// Collective at the first use of `callers`. Throws as Communicator.
    explicit Fabric(MPI_Comm callers);
    /// Waits until all that was sent has left.
    ~Fabric() override;

    [[nodiscard]] const Communicator& communicator() const { return communicator_; }

    [[nodiscard]] int rank() const override { return communicator_.rank(); }
    [[nodiscard]] int ranks() const override { return communicator_.size(); }
    [[nodiscard]] Tally reduce(const Tally& mine) override;
    void broadcast(std::span<std::byte> bytes, int from) override;
    void begin_exchange(std::span<const Outgoing> out, std::span<const Incoming> in) override;
    void finish_exchange() override;
    void send(int to, std::vector<std::byte> bytes) override;
    [[nodiscard]] bool takes(int to) override;
    bool receive(engine::Parcel& parcel) override;

  private:
    struct Leaving {
        std::vector<std::byte> bytes;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    static void forget_those_that_left(std::deque<Leaving>& leaving);

    Communicator communicator_;
    Messages messages_;
    std::vector<std::deque<Leaving>> leaving_;  ///< by the rank they go to
};

}  // namespace equipoise::mpi
