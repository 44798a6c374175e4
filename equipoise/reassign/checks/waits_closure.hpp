#pragma once
// The most that can come together in any execution of moves that wait for moves.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/waits.hpp"

namespace equipoise::reassign {

// Problem: the largest sum of what has started and what is done at one moment of an execution.
// Model: an execution has started some moves and done some of these; a move is started only when
//   all that it waits for is done, and together with those that have the same list.
// Source: a maximum closure by a minimum cut (Picard 1976): "done" needs "started", and "started"
//   needs "done" of each that is waited for. Every closed set is a moment of some execution, and
//   every moment is a closed set.
// Guarantee: exact. Cost: a maximum flow through the moves that are needed and their lists.

/// The executions of moves. `waits_for`, in which nothing waits for itself, outlives it.
class Executions {
  public:
    explicit Executions(const WaitsFor& waits_for);

    /// A move, and what it adds when it starts and when it is done.
    struct Weight {
        std::size_t move = 0;
        Tokens started = 0;
        Tokens done = 0;
    };
    /// The largest sum of the weights at any moment, or at any after `after_start_of` has started,
    /// if that is a move.
    [[nodiscard]] Int128 most(std::span<const Weight> weights,
                              std::size_t after_start_of = no_move) const;
    /// The moves with the same list start together: their number.
    [[nodiscard]] std::size_t start_of(std::size_t move) const { return start_of_[move]; }
    [[nodiscard]] std::size_t starts() const { return lists_.size(); }

    static constexpr std::size_t no_move = ~std::size_t{0};

  private:
    const WaitsFor& waits_for_;
    std::vector<std::size_t> start_of_;  ///< by move
    std::vector<std::size_t> lists_;     ///< by start: a move that has its list
};

}  // namespace equipoise::reassign
