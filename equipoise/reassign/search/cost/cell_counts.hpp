#pragma once
// How many items a pair (row, column) has, where speed counts for more than memory.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "equipoise/reassign/search/pair_counts.hpp"

namespace equipoise::reassign {

/// The same as `PairCounts`, as a table of words wherever this takes at most `bytes_max` bytes and
/// no count exceeds a word.
template <class Word>
class CellCounts {
  public:
    static constexpr std::size_t bytes_max = std::size_t{64} << 20U;

    /// `largest`: what no count exceeds; `most`: what they add up to at most.
    CellCounts(std::size_t rows, std::size_t columns, std::size_t largest, std::size_t most)
        : columns_(columns) {
        if (is_table(rows, columns, largest))
            cells_.assign(rows * columns, 0);
        else
            pairs_.emplace(rows, columns, most);
    }

    [[nodiscard]] static std::size_t bytes(std::size_t rows, std::size_t columns,
                                           std::size_t largest, std::size_t most) {
        return is_table(rows, columns, largest) ? rows * columns * sizeof(Word)
                                                : PairCounts::bytes(rows, columns, most);
    }

    [[nodiscard]] std::uint32_t at(std::size_t row, std::size_t column) const {
        return pairs_ ? pairs_->at(row, column) : cells_[row * columns_ + column];
    }
    /// Adds one; returns the count before.
    std::uint32_t add(std::size_t row, std::size_t column) {
        return pairs_ ? pairs_->add(row, column) : cells_[row * columns_ + column]++;
    }
    /// Takes one away; returns the count before, which is at least 1.
    std::uint32_t subtract(std::size_t row, std::size_t column) {
        return pairs_ ? pairs_->subtract(row, column) : cells_[row * columns_ + column]--;
    }

  private:
    [[nodiscard]] static bool is_table(std::size_t rows, std::size_t columns, std::size_t largest) {
        return largest <= std::numeric_limits<Word>::max() &&
               (columns == 0 || rows <= bytes_max / sizeof(Word) / columns);
    }

    std::size_t columns_;
    std::vector<Word> cells_;
    std::optional<PairCounts> pairs_;
};

}  // namespace equipoise::reassign
