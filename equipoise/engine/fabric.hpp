#pragma once
// What joins the processes of one run: the few collectives and messages that engines need of it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <type_traits>
#include <vector>

namespace equipoise::engine {

class Transport;

/// Processes ("ranks") 0 .. ranks()-1 that play one run together. All members but the first two are
/// collective: every rank calls the same ones in the same order. Bytes travel as they are: all
/// machines must hold numbers alike.
class Fabric {
  public:
    /// What every rank brings to a reduction: `sums` are added up and `maxima` taken, word by word.
    struct Tally {
        std::array<std::int64_t, 6> sums = {};
        std::array<std::int64_t, 8> maxima = {};

        void operator+=(const Tally& other);
    };
    struct Outgoing {
        int to = 0;
        std::span<const std::byte> bytes;
    };
    struct Incoming {
        int from = 0;
        std::span<std::byte> bytes;
    };

    virtual ~Fabric() = default;
    Fabric() = default;
    Fabric(const Fabric&) = delete;
    Fabric& operator=(const Fabric&) = delete;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int ranks() const = 0;

    [[nodiscard]] virtual Tally reduce(const Tally& mine) = 0;
    /// Begins to exchange messages whose lengths both ends know; at most one set is under way, and
    /// its bytes must stay where they are.
    virtual void begin_exchange(std::span<const Outgoing> out, std::span<const Incoming> in) = 0;
    virtual void finish_exchange() = 0;
    /// The bytes of all ranks, one after the other, at rank 0; nothing elsewhere.
    [[nodiscard]] virtual std::vector<std::byte> gather(std::span<const std::byte> mine) = 0;
    /// The bytes of one rank on every rank, which all have as much room.
    virtual void broadcast(std::span<std::byte> bytes, int from) = 0;
    /// Parcels between the same ranks, for node programs; null: this fabric has none.
    [[nodiscard]] virtual Transport* transport() { return nullptr; }

    /// Throws, on every rank, the error of the lowest rank that brings one; returns where none
    /// does. Kinds and texts of the library's errors are kept; a rank short of memory throws
    /// std::bad_alloc on all; any other error arrives as std::runtime_error that names the rank.
    void agree(const std::exception_ptr& mine);
};

/// What `action` throws, or nothing.
template <class Action>
[[nodiscard]] std::exception_ptr failure_of(const Action& action) noexcept {
    try {
        action();
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

/// Does what may fail on one rank alone, and throws on all where it does. Collective. `ranks`: a
/// fabric or a transport.
template <class Ranks, class Action>
    requires requires(Ranks& ranks) { ranks.agree(std::exception_ptr()); }
void together(Ranks& ranks, const Action& action) {
    ranks.agree(failure_of(action));
}

/// The same for a caller that may be alone: null is no fabric.
template <class Action>
void together(Fabric* fabric, const Action& action) {
    if (fabric == nullptr) return action();
    together(*fabric, action);
}

/// Does it on rank 0, and throws on all ranks what it throws. Collective.
template <class Action>
void on_first(Fabric& fabric, const Action& action) {
    together(fabric, [&] {
        if (fabric.rank() == 0) action();
    });
}

/// The largest, and the sum, of what the ranks bring. Collective.
[[nodiscard]] inline std::int64_t largest_of(Fabric& fabric, std::int64_t mine) {
    Fabric::Tally tally;
    tally.maxima[0] = mine;
    return fabric.reduce(tally).maxima[0];
}
[[nodiscard]] inline std::int64_t sum_of(Fabric& fabric, std::int64_t mine) {
    Fabric::Tally tally;
    tally.sums[0] = mine;
    return fabric.reduce(tally).sums[0];
}

/// The values whose bytes these are.
template <class T>
[[nodiscard]] std::vector<T> values_of(std::span<const std::byte> bytes) {
    static_assert(std::is_trivially_copyable_v<T>, "values travel as bytes");
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
}

/// The value of a rank, on every rank. Collective.
template <class T>
void broadcast_value(Fabric& fabric, T& value, int from = 0) {
    static_assert(std::is_trivially_copyable_v<T>, "values travel as bytes");
    fabric.broadcast(std::as_writable_bytes(std::span<T>(&value, 1)), from);
}

/// The values of a rank, on every rank. Collective.
template <class T>
void broadcast_values(Fabric& fabric, std::vector<T>& values, int from = 0) {
    static_assert(std::is_trivially_copyable_v<T>, "values travel as bytes");
    std::uint64_t count = values.size();
    broadcast_value(fabric, count, from);
    values.resize(count);
    fabric.broadcast(std::as_writable_bytes(std::span<T>(values)), from);
}

/// What every rank brings, in the order of ranks, on every rank. Collective.
template <class T>
[[nodiscard]] std::vector<T> all_of(Fabric& fabric, const T& mine) {
    std::vector<T> values =
        values_of<T>(fabric.gather(std::as_bytes(std::span<const T>(&mine, 1))));
    broadcast_values(fabric, values);
    return values;
}

/// Passes values from one rank, which has `sent`, to another, which has as much `room`. Collective.
template <class T>
void pass(Fabric& fabric, int from, int to, std::span<const T> sent, std::span<T> room) {
    std::vector<Fabric::Outgoing> out;
    std::vector<Fabric::Incoming> in;
    if (fabric.rank() == from) out.push_back({to, std::as_bytes(sent)});
    if (fabric.rank() == to) in.push_back({from, std::as_writable_bytes(room)});
    fabric.begin_exchange(out, in);
    fabric.finish_exchange();
}

}  // namespace equipoise::engine
