#pragma once
// Long messages between processes of one machine: the receiver copies them straight out of the
// sender's memory.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <span>

#include <mpi.h>

#include "equipoise/mpi/communicator.hpp"

namespace equipoise::mpi {

/// Takes the next bytes that have arrived, which are valid only during the call. Must not throw.
using TakeBytes = std::function<void(std::span<const std::byte>)>;

/// Problem: MPI copies a message within a machine twice, through memory that both processes share,
///          or once, after an exchange of messages with the sender.
/// Protocol: the sender tells where the bytes lie (notice); the receiver copies them, piece by
///   piece, and says how many it has (reply). If the system refuses half-way, the reply says so,
///   and the sender sends the rest through MPI, a piece at a time. The sender does not have to
///   check for messages while the receiver copies.
/// Order: a rank takes its messages in the order in which it began to receive them, so that
///   arrivals can be appended. A rank announces its own messages before it waits for anything, so
///   there is no deadlock; the rest of a message is sent while the sender waits for its own
///   messages.
class DirectMessages {
  public:
    explicit DirectMessages(const Communicator& communicator) : communicator_(communicator) {}

    /// Makes room, so that beginning this many messages allocates nothing more.
    void expect(std::size_t messages);

    /// Tells the receiver where bytes lie, which must stay as they are until all is done.
    void send(int to, std::span<const std::byte> bytes);
    /// Receives a message that `send` announces. Without `take` it goes into `room`, which is as
    /// long as the message; with `take` it arrives in pieces as long as `room`, except for the
    /// last, and messages may share the room.
    void receive(int from, std::uint64_t bytes, std::span<std::byte> room, const TakeBytes* take);
    /// Receives an ordinary message of MPI into `room` and passes it to `take` when its turn comes.
    void receive_from_mpi(int from, int tag, std::span<std::byte> room, const TakeBytes& take);

    /// Whether nothing is under way.
    [[nodiscard]] bool idle() const { return leaving_.empty() && arriving_.empty(); }
    /// Does whatever is possible without waiting, at most one piece of each message that arrives.
    /// Returns whether anything was done. Allocates nothing.
    bool advance();

  private:
    /// On its way to another rank. MPI reads and writes its words while messages travel.
    struct Leaving {
        int to = 0;
        std::span<const std::byte> bytes;
        std::uint64_t address = 0;
        std::array<std::uint64_t, 2> reply =
            {};                  ///< bytes copied; the length of pieces of the rest
        std::uint64_t sent = 0;  ///< as parts of the rest
        bool answered = false;
        bool all_there = false;
        MPI_Request notice = MPI_REQUEST_NULL;
        MPI_Request request = MPI_REQUEST_NULL;  ///< of the reply, then of a piece of the rest
    };
    /// On its way here.
    struct Arriving {
        enum class Stage { told, copied, rest, whole, replied };
        int from = 0;
        Stage stage = Stage::told;
        std::uint64_t bytes = 0;
        std::uint64_t come = 0;
        std::span<std::byte> room;
        const TakeBytes* take = nullptr;
        std::uint64_t address = 0;
        std::array<std::uint64_t, 2> reply = {};
        MPI_Request request = MPI_REQUEST_NULL;  ///< of the notice, a piece, or the whole message
        MPI_Request reply_request = MPI_REQUEST_NULL;
    };

    bool advance(Leaving& leaving);
    bool advance(Arriving& arriving);
    bool copy_piece(Arriving& arriving);
    void begin_rest(Arriving& arriving);
    [[nodiscard]] static std::size_t piece_bytes(const Arriving& arriving);
    [[nodiscard]] static std::span<std::byte> next_piece(const Arriving& arriving);
    static void accept(Arriving& arriving, std::span<const std::byte> piece);
    template <class Message>
    static Message& begin(std::list<Message>& under_way, std::list<Message>& spare);

    const Communicator communicator_;
    std::list<Leaving> leaving_;
    std::list<Leaving> spare_leaving_;
    std::list<Arriving> arriving_;
    std::list<Arriving> spare_arriving_;
};

}  // namespace equipoise::mpi
