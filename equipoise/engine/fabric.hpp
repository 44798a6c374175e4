#pragma once
// What joins the processes of one run: the few collectives and messages that engines need of it.

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

/// Bytes from another rank.
struct Parcel {
    int from = 0;
    std::vector<std::byte> bytes;
};

/// The longest parcel: every fabric must carry so many bytes.
inline constexpr std::size_t parcel_bytes_max = std::size_t{1} << 30U;

/// Ranks that play one run together, as one of them sees them; used by one thread at a time. Bytes
/// travel as they are: all machines must hold numbers alike. Where a call itself fails on a rank
/// (memory, the network), others may wait for that rank for ever unless the fabric tells them.
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

    /// Begins to exchange messages whose lengths both ends know; at most one set is under way, and
    /// its bytes must stay where they are. No rank sends to itself.
    virtual void begin_exchange(std::span<const Outgoing> out, std::span<const Incoming> in) = 0;
    virtual void finish_exchange() = 0;
    /// Makes room, which may throw, for so many bytes: on rank 0 for those of all ranks; elsewhere
    /// for none, but whatever else comes next can be made ready.
    using MakeRoom = std::function<std::span<std::byte>(std::size_t bytes)>;
    /// Brings the bytes of all ranks, one after the other, to rank 0. Throws on all ranks what
    /// making room throws on one.
    void gather(std::span<const std::byte> mine, const MakeRoom& make_room);
    /// The same bytes; nothing elsewhere.
    [[nodiscard]] std::vector<std::byte> gather(std::span<const std::byte> mine);

    // ---- parcels: one rank sends, another finds what has come

    /// Begins to send to another rank and returns at once. Every parcel arrives, once, and between
    /// two ranks in the order of sending.
    virtual void send(int to, std::vector<std::byte> bytes) = 0;
    /// Whether another rank takes what it is sent: else send it less, in larger parcels.
    [[nodiscard]] virtual bool takes(int to) = 0;
    /// Takes a parcel that has arrived, from any rank; false when there is none.
    virtual bool receive(Parcel& parcel) = 0;

  private:
    void make_lists();

    // Of gatherings: made at the first one, so that no later one can fail for want of them.
    bool has_lists_ = false;
    std::vector<std::uint64_t> sizes_;
    std::vector<Outgoing> out_;
    std::vector<Incoming> in_;
};

/// Does what may fail on one rank alone, and throws on all where it does. Collective; null: this
/// process is alone.
template <class Action>
void together(Fabric* fabric, const Action& action) {
    if (fabric == nullptr) return action();
    together(*fabric, action);
}

/// Does it on rank 0, and throws on all ranks what it throws. Collective.
template <class Action>
void on_first(Council& council, const Action& action) {
    together(council, [&] {
        if (council.rank() == 0) action();
    });
}

/// The largest, and the sum, of what the ranks bring. Collective.
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

/// The values whose bytes these are.
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

/// The values of rank 0, on every rank. Collective. Throws std::bad_alloc on all where one has no
/// room for them.
template <class T>
void broadcast_values(Council& council, std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>, "values travel as bytes");
    std::uint64_t size = values.size();
    broadcast_value(council, size);
    together(council, [&] { values.resize(static_cast<std::size_t>(size)); });
    council.broadcast(std::as_writable_bytes(std::span<T>(values)), 0);
}

/// What every rank brings, in the order of ranks, on every rank. Collective.
template <class T>
[[nodiscard]] std::vector<T> all_of(Fabric& fabric, const T& mine) {
    const std::vector<std::byte> bytes = fabric.gather(std::as_bytes(std::span<const T>(&mine, 1)));
    std::vector<T> values;
    on_first(fabric, [&] { values = values_of<T>(bytes); });
    broadcast_values(fabric, values);
    return values;
}

/// Passes values from one rank, which has `sent`, to another, which has as much `room`. Collective.
template <class T>
void pass(Fabric& fabric, int from, int to, std::span<const T> sent, std::span<T> room) {
    const Fabric::Outgoing out = {to, std::as_bytes(sent)};
    const Fabric::Incoming in = {from, std::as_writable_bytes(room)};
    fabric.begin_exchange({&out, fabric.rank() == from ? std::size_t{1} : 0},
                          {&in, fabric.rank() == to ? std::size_t{1} : 0});
    fabric.finish_exchange();
}

}  // namespace equipoise::engine
