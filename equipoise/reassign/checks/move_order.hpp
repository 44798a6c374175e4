#pragma once
// The order that waits put moves in.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equipoise/reassign/checks/waits.hpp"

namespace equipoise::reassign {

/// Which moves come before which, whatever the execution. Memory O(moves^2) bits.
class MoveOrder {
  public:
    /// `is_possible` is false if a list names a move that is not there or that waits for itself, by
    /// way of others perhaps; then nothing else may be asked.
    explicit MoveOrder(const WaitsFor& waits_for);

    [[nodiscard]] bool is_possible() const { return sorted_.size() == count_; }
    /// Moves so that none comes before one that it waits for.
    [[nodiscard]] const std::vector<std::uint32_t>& sorted() const { return sorted_; }
    [[nodiscard]] bool is_before(std::size_t one, std::size_t other) const {
        return (before_[other * words_ + one / 64] >> (one % 64) & 1U) != 0;
    }
    [[nodiscard]] bool are_ordered(std::size_t a, std::size_t b) const {
        return is_before(a, b) || is_before(b, a);
    }

  private:
    std::size_t count_;
    std::size_t words_;
    std::vector<std::uint32_t> sorted_;
    std::vector<std::uint64_t> before_;  ///< by move: bits of all moves before it
};

}  // namespace equipoise::reassign
