#pragma once
// Parcels between the ranks of a communicator, point to point.

#include <cstddef>
#include <deque>
#include <exception>
#include <vector>

#include <mpi.h>

#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/ranks/transport.hpp"
#include "equipoise/mpi/communicator.hpp"

namespace equipoise::mpi {

/// Sends do not block; what has arrived is found by probing. Errors are CollectiveError, as those
/// of the balancer (mpi/agreement.hpp), or what a fabric makes of them; what MPI itself cannot do
/// is MpiError, on one rank.
class RankTransport final : public engine::Transport {
  public:
    /// Collective at the first use of `callers`. Throws as Communicator.
    explicit RankTransport(MPI_Comm callers, engine::Fabric* fabric = nullptr);
    RankTransport(const RankTransport&) = delete;
    RankTransport& operator=(const RankTransport&) = delete;
    /// Waits until all that was sent has left.
    ~RankTransport() override;

    [[nodiscard]] const Communicator& communicator() const { return communicator_; }
    [[nodiscard]] int rank() const override { return communicator_.rank(); }
    [[nodiscard]] int ranks() const override { return communicator_.size(); }
    void send(int to, std::vector<std::byte> bytes) override;
    [[nodiscard]] bool takes(int to) override;
    bool receive(engine::Parcel& parcel) override;
    void agree(const std::exception_ptr& mine) override;

  private:
    struct Leaving {
        std::vector<std::byte> bytes;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    static void forget_those_that_left(std::deque<Leaving>& leaving);

    Communicator communicator_;
    engine::Fabric* fabric_;
    std::vector<std::deque<Leaving>> leaving_;  ///< by the rank they go to
};

}  // namespace equipoise::mpi
