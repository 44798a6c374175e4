#pragma once
// Messages of any length between known partners: 64-bit sizes, split to fit MPI's int counts.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mpi.h>

#include "equipoise/mpi/communicator.hpp"
#include "equipoise/mpi/direct_messages.hpp"

namespace equipoise::mpi {

/// The longest message that is sent in one piece unless told otherwise: 1 GiB.
inline constexpr std::size_t message_bytes_default = std::size_t{1} << 30U;
/// The length of a piece for ranks that wait with patience (waiting.hpp): it travels in a fraction
/// of the time before they sleep.
inline constexpr std::size_t message_bytes_patient = std::size_t{1} << 18U;
/// The longest piece that MPI's 32-bit counts allow.
inline constexpr std::size_t message_bytes_limit = (std::size_t{1} << 31U) - 1;

/// The shortest message for which telling the receiver where its bytes lie is worthwhile.
inline constexpr std::size_t direct_bytes_min = std::size_t{1} << 15U;

/// How long messages travel between ranks of a machine.
enum class Within { through_mpi, directly };

/// A set of messages under way. Partners must agree on `bytes_max` and on `within`; messages
/// between two ranks arrive in the order in which they were begun. Bytes travel as they are, so all
/// machines must represent numbers alike.
///
/// Messages from direct_bytes_min on between direct partners (Communicator) are copied once, by the
/// receiver and only while it waits, if `within` says so.
class Messages {
  public:
    /// `bytes_max`: between 1 and message_bytes_limit.
    explicit Messages(const Communicator& communicator,
                      std::size_t bytes_max = message_bytes_default,
                      Within within = Within::through_mpi);
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;
    /// Waits: MPI must not write to memory that is gone.
    ~Messages();

    /// Makes room, so that beginning these messages, of this many bytes in total, allocates nothing
    /// more.
    void expect(std::uint64_t bytes, std::size_t messages = 1);
    /// Whether the receiver copies a message of this length straight out of the sender's memory.
    [[nodiscard]] bool directly(int partner, std::uint64_t bytes) const;
    /// Begins to send; the bytes must stay as they are until `wait` returns.
    void send(int to, std::span<const std::byte> bytes);
    /// Begins to receive exactly this many bytes.
    void receive(int from, std::span<std::byte> bytes);
    /// Begins to receive bytes that are passed to `take` during `wait`, such messages in the order
    /// in which they were begun. `room` has space for the whole message if it is not received
    /// directly (it must then be shorter than direct_bytes_min), otherwise for a piece; messages
    /// received directly may share a room.
    void receive(int from, std::uint64_t bytes, std::span<std::byte> room, const TakeBytes& take);
    /// Completes all messages begun.
    void wait();

  private:
    [[nodiscard]] std::size_t piece_bytes_max(int partner) const;

    Communicator communicator_;
    std::size_t bytes_max_;
    Within within_;
    DirectMessages direct_;
    std::size_t expected_ = 0;
    std::vector<MPI_Request> requests_;
};

}  // namespace equipoise::mpi
