#pragma once
// What joins the processes of one run: the few collectives and messages that engines need.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "equipoise/engine/agreement.hpp"

namespace equipoise::engine {

/// Bytes sent by another rank.
struct Parcel {
    int from = 0;
    std::vector<std::byte> bytes;
};

/// The longest parcel that every fabric must be able to carry.
inline constexpr std::size_t parcel_bytes_max = std::size_t{1} << 30U;

/// The ranks that play one run together, as one of them sees them; used by one thread at a time.
/// Bytes travel as they are, so all machines must represent numbers alike. If a call itself fails
/// on a rank (memory, the network), others may wait for that rank for ever unless the fabric tells
/// them.
class Fabric : public Council {
  public:
    struct Outgoing {
        int to = 0;
        std::span<const std::byte> bytes;
    };
    struct Incoming {
        int from = 0;
        std::span<std::byte> bytes;
    };

    // ---- exchanges: collective

    /// Begins to exchange messages whose lengths both ends know. At most one exchange is under way,
    /// and its bytes must not move. No rank sends to itself.
    virtual void begin_exchange(std::span<const Outgoing> out, std::span<const Incoming> in) = 0;
    virtual void finish_exchange() = 0;
    /// Makes room for the given number of bytes, and may throw. On rank 0 that is the total that
    /// all ranks send, elsewhere 0: a rank can use the call to prepare for what comes next.
    using MakeRoom = std::function<std::span<std::byte>(std::size_t bytes)>;
    /// Collects the bytes of all ranks on rank 0, in the order of ranks. If making room throws on
    /// one rank, throws that on all.
    void gather(std::span<const std::byte> mine, const MakeRoom& make_room);
    /// The same, returning the bytes on rank 0 and nothing elsewhere.
    [[nodiscard]] std::vector<std::byte> gather(std::span<const std::byte> mine);

    // ---- parcels: one rank sends, and another looks for what has arrived

    /// Begins to send to another rank and returns at once. Every parcel arrives, once, and between
    /// two ranks in the order of sending.
    virtual void send(int to, std::vector<std::byte> bytes) = 0;
    /// Whether another rank keeps up with what is sent to it; if not, send fewer and larger
    /// parcels.
    [[nodiscard]] virtual bool takes(int to) = 0;
    /// Takes a parcel that has arrived, from any rank; false when there is none.
    virtual bool receive(Parcel& parcel) = 0;

  private:
    void make_lists();

    // For `gather`: made on its first call, so that no later call can fail for lack of memory.
    bool has_lists_ = false;
    std::vector<std::uint64_t> sizes_;
    std::vector<Outgoing> out_;
    std::vector<Incoming> in_;
};

/// Runs an action that may fail on a single rank; if it does, throws on all. Collective; null: this
/// process is alone.
template <class Action>
void together(Fabric* fabric, const Action& action) {
    if (fabric == nullptr) return action();
    together(*fabric, action);
}

/// Runs an action on rank 0; an exception from it is thrown on all ranks. Collective.
template <class Action>
void on_first(Council& council, const Action& action) {
    together(council, [&] {
        if (council.rank() == 0) action();
    });
}

/// The largest value, and the sum, over all ranks. Collective.
[[nodiscard]] inline std::int64_t largest_of(Council& council, std::int64_t mine) {
    Council::Tally tally;
    tally.maxima[0] = mine;
    return council.reduce(tally).maxima[0];
}
[[nodiscard]] inline std::int64_t sum_of(Council& council, std::int64_t mine) {
    Council::Tally tally;
    tally.sums[0] = mine;
    return council.reduce(tally).sums[0];
}

/// Views bytes as the values that they hold.
template <class T>
[[nodiscard]] std::vector<T> values_of(std::span<const std::byte> bytes) {
    static_assert(std::is_trivially_copyable_v<T>, "values travel as bytes");
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
}

/// Rank 0's value, on every rank. Collective.
template <class T>
void broadcast_value(Council& council, T& value) {
    static_assert(std::is_trivially_copyable_v<T>, "values travel as bytes");
    council.broadcast(std::as_writable_bytes(std::span<T, 1>(&value, 1)), 0);
}

/// Rank 0's values, on every rank. Collective. Throws std::bad_alloc on all ranks if one has no
/// room for them.
template <class T>
void broadcast_values(Council& council, std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>, "values travel as bytes");
    std::uint64_t size = values.size();
    broadcast_value(council, size);
    together(council, [&] { values.resize(static_cast<std::size_t>(size)); });
    council.broadcast(std::as_writable_bytes(std::span<T>(values)), 0);
}

/// The values of all ranks in the order of ranks, on every rank. Collective.
template <class T>
[[nodiscard]] std::vector<T> all_of(Fabric& fabric, const T& mine) {
    const std::vector<std::byte> bytes = fabric.gather(std::as_bytes(std::span<const T>(&mine, 1)));
    std::vector<T> values;
    on_first(fabric, [&] { values = values_of<T>(bytes); });
    broadcast_values(fabric, values);
    return values;
}

/// Passes values from one rank, which has `sent`, to another, whose `room` is as long. Collective.
template <class T>
void pass(Fabric& fabric, int from, int to, std::span<const T> sent, std::span<T> room) {
    const Fabric::Outgoing out = {to, std::as_bytes(sent)};
    const Fabric::Incoming in = {from, std::as_writable_bytes(room)};
    fabric.begin_exchange({&out, fabric.rank() == from ? std::size_t{1} : 0},
                          {&in, fabric.rank() == to ? std::size_t{1} : 0});
    fabric.finish_exchange();
}

}  // namespace equipoise::engine
