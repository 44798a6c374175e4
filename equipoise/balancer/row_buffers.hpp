#pragma once
// Rows of one array that leave or fill scattered places (placement/rank_moves.hpp): those that
// leave are packed into a buffer, those that arrive are unpacked from one.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "equipoise/mpi/messages.hpp"
#include "equipoise/placement/rank_moves.hpp"

namespace equipoise::balancer {

/// Calls `each(place, row, rows)` for every stretch of consecutive places: the rows of the packed
/// array from `row` on belong at `place`.
template <class Each>
void for_stretches(std::span<const Tokens> places, const Each& each) {
    for (std::size_t row = 0; row < places.size();) {
        std::size_t end = row + 1;
        while (end < places.size() && places[end] == places[end - 1] + 1)
            ++end;
        each(places[row], static_cast<Tokens>(row), static_cast<Tokens>(end - row));
        row = end;
    }
}

/// Copies the rows that leave, parcel after parcel.
void pack(const placement::RankMoves& moves, std::size_t row_bytes, const std::byte* rows,
          std::byte* packed);
/// Copies rows, parcel after parcel, to the places where they arrive.
void unpack(const placement::RankMoves& moves, std::size_t row_bytes, const std::byte* packed,
            std::byte* rows);
/// Brings the rows that stay to their new places in an array with room for the old and the new
/// rows.
void shift(std::span<const placement::Run> kept, std::size_t row_bytes, std::byte* rows);

/// The buffers of one array and one round. Memory: the rows that leave, those that arrive, and a
/// few words for each of them.
class RowBuffers {
  public:
    /// Allocates everything that it needs. `old_stays`: the old array stays as it is until all
    /// messages have arrived. The moves must outlive this object.
    void take_memory(const placement::RankMoves& moves, std::size_t row_bytes, bool old_stays);

    /// Sends the rows that leave, packed unless they are consecutive and the old array stays.
    void send(const std::byte* rows, mpi::Messages& messages) const;
    /// Begins to receive the rows that arrive; `rows` is the new array.
    void receive(std::byte* rows, mpi::Messages& messages) const;
    /// Brings the rows that have arrived to their places.
    void unpack(std::byte* rows) const;

    /// The rows that stay, by place.
    [[nodiscard]] std::span<const placement::Run> kept() const { return kept_; }
    void shift_kept(std::byte* rows) const { shift(kept_, row_bytes_, rows); }

  private:
    [[nodiscard]] std::size_t bytes(Tokens rows) const {
        return static_cast<std::size_t>(rows) * row_bytes_;
    }

    const placement::RankMoves* moves_ = nullptr;
    std::size_t row_bytes_ = 0;
    std::unique_ptr<std::byte[]> leaving_;   ///< none: sent from the array itself
    std::unique_ptr<std::byte[]> arriving_;  ///< none: received into the array itself
    std::vector<placement::Run> kept_;
};

}  // namespace equipoise::balancer
