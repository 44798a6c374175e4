#pragma once
// Messages of any length between known partners: 64-bit sizes, split to fit MPI's int counts.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mpi.h>

#include "equipoise/mpi/communicator.hpp"

namespace equipoise::mpi {

/// The longest message that is sent in one piece unless told otherwise: 1 GiB.
inline constexpr std::size_t message_bytes_default = std::size_t{1} << 30U;
/// The length of a piece for ranks that wait with patience (waiting.hpp): it travels in a fraction
/// of the time before they sleep.
inline constexpr std::size_t message_bytes_patient = std::size_t{1} << 18U;
/// The longest that MPI's 32-bit counts allow.
inline constexpr std::size_t message_bytes_limit = (std::size_t{1} << 31U) - 1;

/// A set of messages under way. Partners must agree on `bytes_max`; messages between two ranks
/// arrive in the order in which they were begun. Bytes travel as they are, so all machines must
/// represent numbers alike.
class Messages {
  public:
    /// `bytes_max`: between 1 and message_bytes_limit.
    explicit Messages(const Communicator& communicator,
                      std::size_t bytes_max = message_bytes_default);
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;
    /// Waits: MPI must not write to memory that is gone.
    ~Messages();

    /// Makes room, so that beginning messages of this many bytes in total allocates nothing more.
    void expect(std::uint64_t bytes);
    /// Begins to send; the bytes must stay as they are until `wait` returns.
    void send(int to, std::span<const std::byte> bytes);
    /// Begins to receive exactly as many bytes.
    void receive(int from, std::span<std::byte> bytes);
    /// Completes all messages begun.
    void wait();

  private:
    MPI_Comm communicator_;
    std::size_t bytes_max_;
    std::size_t expected_ = 0;
    std::vector<MPI_Request> requests_;
};

}  // namespace equipoise::mpi
