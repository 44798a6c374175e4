#pragma once
// Arrays of one length whose rows move together, for callers that know the size of a row only at
// run time.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "equipoise/balancer/moving.hpp"
#include "equipoise/balancer/options.hpp"
#include "equipoise/balancer/plan.hpp"
#include "equipoise/base/view.hpp"

namespace equipoise::balancer {

/// An array.
struct Column {
    View<std::byte> rows = {};  ///< one after the other
    std::size_t row_bytes = 0;  ///< of each, at least 1; the same on all ranks
    std::string type = {};      ///< names the type of a row in messages; the same on all ranks
};
/// "arrays of 8 bytes a row (float64) and of 4 bytes a row": a description that must be the same on
/// all ranks.
[[nodiscard]] std::string describe(std::span<const Column> columns);

/// Allocates the array that will hold a column's rows: called once for every column, in order, with
/// its number and its size in bytes, unless no row comes to this rank or leaves it. May throw:
/// nothing has moved yet.
using AllocateColumn = std::function<std::byte*(std::size_t column, std::uint64_t bytes)>;

/// Columns on their way. The given arrays stay as they are; afterwards the allocated ones hold the
/// rows that the plan leaves on this rank. If none were asked for, the given arrays hold them.
/// Memory: the new arrays; copies of scattered rows that leave or arrive; for plans of several
/// rounds, up to two buffers a column, each as large as the column ever is between rounds.
class ColumnsMove {
  public:
    /// The columns must outlive it.
    ColumnsMove(const Plan& plan, View<Column> columns, AllocateColumn allocate);

    [[nodiscard]] const Plan& plan() const { return plan_; }
    /// Checks and allocates, agrees with the other ranks, and sends the first round. Collective.
    void begin(engine::LocalFailure& failure);
    /// The part of `begin` that can fail: the other ranks must agree to it before `start`.
    void prepare(engine::LocalFailure& failure);
    void start();
    /// Moves the other rounds too, and returns once all rows have arrived.
    void end();

  private:
    /// Where the rows of a column lie between and after the rounds.
    struct Journey {
        std::span<std::byte> arrived;
        RowBuffers buffers;                 ///< of scattered rows
        std::vector<std::byte> between[2];  ///< after rounds 0, 2, ... and 1, 3, ..., but the last
    };

    void check_columns() const;
    void take_memory();
    void begin_round(std::size_t number);
    void begin_scattered();

    Plan plan_;
    View<Column> columns_;
    AllocateColumn allocate_;
    std::vector<Journey> journeys_;
    mpi::Messages messages_;
};

/// Moves columns by a plan. Collective; the columns must have the planned number of rows. If one
/// rank fails (`failure` is what went wrong before), all throw the same CollectiveError, and no row
/// has moved.
[[nodiscard]] Report move_columns(const Plan& plan, std::span<const Column> columns,
                                  const AllocateColumn& allocate,
                                  engine::LocalFailure failure = {});

}  // namespace equipoise::balancer
