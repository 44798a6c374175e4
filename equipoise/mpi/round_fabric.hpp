#pragma once
// The ranks of a communicator as the processes that play one run together.

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include <mpi.h>

#include "equipoise/engine/fabric.hpp"
#include "equipoise/mpi/communicator.hpp"
#include "equipoise/mpi/messages.hpp"
#include "equipoise/mpi/rank_transport.hpp"

namespace equipoise::mpi {

/// A fabric on MPI.
///
///     mpi::RoundFabric fabric(MPI_COMM_WORLD);
///     options.fabric = &fabric;                       // of RunOptions or RoundOptions, on all
///     equipoise::run("threshold-1", network, loads, options);                        // ranks
/// Ranks that wait leave their processor to others before long.
class RoundFabric final : public engine::Fabric {
  public:
    /// Collective. Throws as Communicator.
    explicit RoundFabric(MPI_Comm callers);
    RoundFabric(const RoundFabric&) = delete;
    RoundFabric& operator=(const RoundFabric&) = delete;
    ~RoundFabric() override;

    [[nodiscard]] const Communicator& communicator() const { return communicator_; }

    [[nodiscard]] int rank() const override { return communicator_.rank(); }
    [[nodiscard]] int ranks() const override { return communicator_.size(); }
    [[nodiscard]] Tally reduce(const Tally& mine) override;
    void begin_exchange(std::span<const Outgoing> out, std::span<const Incoming> in) override;
    void finish_exchange() override;
    [[nodiscard]] std::vector<std::byte> gather(std::span<const std::byte> mine) override;
    void broadcast(std::span<std::byte> bytes, int from) override;
    [[nodiscard]] engine::Transport* transport() override { return &transport_; }

  private:
    Communicator communicator_;
    RankTransport transport_;
    Messages messages_;
    MPI_Datatype tally_type_ = MPI_DATATYPE_NULL;
    MPI_Op tally_operation_ = MPI_OP_NULL;
};

}  // namespace equipoise::mpi
