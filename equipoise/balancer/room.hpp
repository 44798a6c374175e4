#pragma once
// Rows that move within memory that the caller owns: arrays with room for more rows than they hold,
// with or without gaps between the rows, on the host or on a device.
//
//     std::vector<double> memory(1000);                 // 700 rows now, room for 1,000
//     std::array rows = {rows_of(memory, 700)};
//     rebalance_rows(communicator, rows);
//     // the first rows[0].held values are this rank's

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <mpi.h>

#include "equipoise/balancer/device_memory.hpp"
#include "equipoise/balancer/moving.hpp"
#include "equipoise/balancer/options.hpp"
#include "equipoise/balancer/plan.hpp"
#include "equipoise/mpi/messages.hpp"

namespace equipoise::balancer {

/// An array of the caller. Its first rows are this rank's items, or a part of each of them. Rows of
/// one array must not overlap those of another; they may lie between them.
struct Rows {
    std::byte* data = nullptr;  ///< where row 0 begins; null only if there is no room
    Tokens held = 0;            ///< how many rows there are
    Tokens room = 0;            ///< how many there may be, at least `held`
    std::size_t row_bytes = 0;  ///< of each row, at least 1; the same on all ranks
    /// From one row to the next in bytes, at least row_bytes; 0: row_bytes. What lies between is
    /// left alone.
    std::size_t stride = 0;
    /// Names the type of a row in messages; the same on all ranks.
    std::string type = {};
    /// How to reach the rows if the host cannot; null: as memory of the host. Must outlive the
    /// move; given on all ranks or on none.
    const DeviceMemory* device = nullptr;
};

/// Values of this type can be rows.
template <class T>
concept RowValue = std::is_trivially_copyable_v<T> && !std::is_const_v<T>;

/// Rows one after the other, with as much room as a vector, an array or a span has values; the
/// first `held` of them are there.
template <std::ranges::contiguous_range Range>
    requires(std::ranges::borrowed_range<Range> && std::ranges::sized_range<Range> &&
             RowValue<std::remove_reference_t<std::ranges::range_reference_t<Range>>>)
[[nodiscard]] Rows rows_of(Range&& room, std::integral auto held) {
    const std::span values(room);
    const std::span<std::byte> bytes = std::as_writable_bytes(values);
    const std::size_t size = sizeof(std::ranges::range_value_t<Range>);
    return {.data = bytes.data(),
            .held = static_cast<Tokens>(held),
            .room = static_cast<Tokens>(values.size()),
            .row_bytes = size,
            .stride = size};
}

/// One value in each of `room` objects that are `stride` bytes apart, such as a field of a
/// structure, or a column of a matrix; the first `held` of them are there.
template <RowValue T>
[[nodiscard]] Rows rows_of(T* first, std::integral auto held, std::integral auto room,
                           std::size_t stride) {
    return {.data = reinterpret_cast<std::byte*>(first),
            .held = static_cast<Tokens>(held),
            .room = static_cast<Tokens>(room),
            .row_bytes = sizeof(T),
            .stride = stride};
}

/// "in place, arrays of 8 bytes a row and of 4 bytes a row (float32)": a description that must be
/// the same on all ranks.
[[nodiscard]] std::string describe(std::span<const Rows> rows);

/// Rows on their way. Memory: buffers for the rows that leave, those that arrive and, if rows that
/// stay change their places, `places_max` of these (all of them, if some return to this rank in a
/// later round of the plan).
class RowsMove {
  public:
    /// The rows must outlive it.
    RowsMove(const Plan& plan, std::span<const Rows> rows);

    [[nodiscard]] const Plan& plan() const { return plan_; }
    /// Checks, allocates and packs, agrees with the other ranks, and sends. Collective.
    void begin(engine::LocalFailure& failure);
    /// The part of `begin` that can fail: the other ranks must agree to it before `start`.
    void prepare(engine::LocalFailure& failure);
    void start();
    /// Returns once all rows have arrived. Collective if there are rows on devices.
    void end();

  private:
    struct Buffers {
        DeviceBuffer leaving;
        DeviceBuffer arriving;
        DeviceBuffer staying;
    };

    void check_rows() const;
    void take_memory();
    void pack_leaving();
    [[nodiscard]] mpi::Messages& messages_of(const Rows& rows) {
        return rows.device == nullptr ? host_messages_ : device_messages_;
    }
    void pack(const Rows& rows, std::span<const Tokens> places, std::byte* packed) const;
    void unpack(const Rows& rows, const std::byte* packed, std::span<const Tokens> places) const;
    void close_up(const Rows& rows, const Buffers& buffers);
    void reorder(const Rows& rows, const Buffers& buffers);
    template <class Each>
    void for_pieces(std::span<const Parcel> parcels, std::span<const Tokens> scattered,
                    std::size_t places_max, const Each& each);

    Plan plan_;
    std::span<const Rows> rows_;
    placement::Routes routes_;
    Tokens leaving_ = 0;
    Tokens arriving_ = 0;
    std::vector<Parcel> old_places_;  ///< of rows that stay at other places
    std::vector<Parcel> new_places_;
    Tokens shifted_ = 0;          ///< how many such rows there are
    bool keeps_order_ = true;     ///< they do not overtake each other
    std::vector<Tokens> places_;  ///< for one call of `pack` or `unpack`
    std::vector<Tokens> others_;
    std::vector<Buffers> buffers_;
    mpi::Messages host_messages_;
    mpi::Messages device_messages_;
    engine::LocalFailure late_;  ///< of a device, when rows have left
};

/// Moves rows by a plan, within their arrays: afterwards the first plan.size_after() rows of each
/// are this rank's, where Plan::execute would have put them in vectors; those behind them are
/// undefined, up to the old number. Collective; all arrays must hold the planned number of rows.
/// Cost: every row that leaves, arrives or changes its place is copied twice, besides its travel.
///
/// If one rank fails (`failure` is what went wrong before), all throw the same CollectiveError, and
/// all rows are where they were; too little room is such a failure. DeviceMemory says what holds
/// for the functions of a device.
[[nodiscard]] Report move_rows(const Plan& plan, std::span<const Rows> rows,
                               engine::LocalFailure failure = {});

/// Begins to move rows; `rows` and the arrays must be left alone until `end()` of the returned
/// object. What move_rows promises holds for `begin_rows` and `end` together.
[[nodiscard]] Moving<RowsMove> begin_rows(const Plan& plan, std::span<const Rows> rows);

/// Levels the rows of arrays, as rebalance() levels vectors, and sets the number of rows that each
/// holds. Weights do not move, unless they are one of the arrays. Options::items_max says how many
/// rows a rank can take at most: without it, a rank that is to get more than it has room for is an
/// error on all ranks. Collective; throws as rebalance() does. After an error all rows and their
/// numbers are as they were.
Report rebalance_rows(MPI_Comm communicator, std::span<Rows> rows, const Options& options = {},
                      engine::LocalFailure failure = {});

}  // namespace equipoise::balancer
