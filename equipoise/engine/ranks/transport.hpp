#pragma once
// What carries bytes between the ranks of a distributed run, so that engines need not know MPI.

#include <cstddef>
#include <exception>
#include <vector>

namespace equipoise::engine {

/// Bytes from another rank.
struct Parcel {
    int from = 0;
    std::vector<std::byte> bytes;
};

/// The longest parcel: every transport must carry so many bytes.
inline constexpr std::size_t parcel_bytes_max = std::size_t{1} << 30U;

/// The ranks of a distributed run as one of them sees them. All ranks make the same runs in the
/// same order. Used by one thread at a time.
class Transport {
  public:
    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    virtual ~Transport() = default;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int ranks() const = 0;
    /// Begins to send to another rank and returns at once. Every parcel arrives, once, and between
    /// two ranks in the order of sending.
    virtual void send(int to, std::vector<std::byte> bytes) = 0;
    /// Whether another rank takes what it is sent: else send it less, in larger parcels.
    [[nodiscard]] virtual bool takes(int to) = 0;
    /// Takes a parcel that has arrived, from any rank; false when there is none.
    virtual bool receive(Parcel& parcel) = 0;
    /// Collective: throws on every rank, and the same, when a rank brings an error; null: none.
    virtual void agree(const std::exception_ptr& mine) = 0;
};

}  // namespace equipoise::engine
