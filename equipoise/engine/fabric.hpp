#pragma once
// What joins the processes of one run: the few collectives and messages that engines need of it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
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
    /// The bytes of rank 0 on every rank.
    virtual void broadcast(std::vector<std::byte>& bytes) = 0;
    /// Throws, on every rank, the error of the lowest rank that brings one; returns where none
    /// does. Kinds and texts of the library's errors are kept.
    virtual void agree(const std::exception_ptr& mine) = 0;
    /// Parcels between the same ranks, for node programs; null: this fabric has none.
    [[nodiscard]] virtual Transport* transport() { return nullptr; }
};

}  // namespace equipoise::engine
