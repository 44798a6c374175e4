#pragma once
// Arrays of one length whose rows move together, for callers that know the size of a row only at
// run time.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "equipoise/balancer/moving.hpp"
#include "equipoise/balancer/options.hpp"
#include "equipoise/balancer/plan.hpp"

namespace equipoise::balancer {

/// An array: its rows, one after the other, and the bytes of a row, the same on all ranks.
struct Column {
    std::span<const std::byte> rows;
    std::size_t row_bytes = 0;  ///< at least 1
};

/// Allocates the array that holds a column's rows afterwards: called once for every column, in
/// order, with its number and the bytes it will have. May throw; nothing has moved yet.
using AllocateColumn = std::function<std::byte*(std::size_t column, std::uint64_t bytes)>;

/// Columns on their way. The given arrays stay as they are; afterwards the allocated ones hold the
/// rows that the plan leaves on this rank. Memory: the new arrays and, for plans of several rounds,
/// up to two buffers a column, as large as the column is after any round but the last.
class ColumnsMove {
  public:
    ColumnsMove(const Plan& plan, std::span<const Column> columns, AllocateColumn allocate);

    [[nodiscard]] const Plan& plan() const { return plan_; }
    /// Checks and allocates, agrees with the other ranks, and sends the first round. Collective.
    void begin(engine::LocalFailure& failure);
    /// Moves the other rounds too, and returns once all rows have arrived.
    void end();

  private:
    /// A column on this rank: where its rows lie before, between and after the rounds.
    struct Journey {
        std::span<const std::byte> given;
        std::size_t row_bytes = 0;
        std::span<std::byte> arrived;
        std::vector<std::byte> between[2];  ///< after rounds 0, 2, ... and 1, 3, ..., but the last
    };

    void take_memory(std::span<const Column> columns);
    void begin_round(std::size_t number);

    Plan plan_;
    std::span<const Column> columns_;
    AllocateColumn allocate_;
    std::vector<Journey> journeys_;
    mpi::Messages messages_;
};

/// Moves columns by a plan. Collective; the columns must have the planned number of rows. If one
/// rank fails, all throw the same CollectiveError, and no row has moved.
[[nodiscard]] Report move_columns(const Plan& plan, std::span<const Column> columns,
                                  const AllocateColumn& allocate);

/// Plans for `rows` rows on this rank, and moves the columns. Collective; throws as make_plan and
/// move_columns.
[[nodiscard]] Report rebalance_columns(MPI_Comm communicator, Tokens rows,
                                       std::span<const Column> columns,
                                       const AllocateColumn& allocate, const Options& options = {});

}  // namespace equipoise::balancer
