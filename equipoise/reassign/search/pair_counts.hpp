#pragma once
// How many items a pair (row, column) has: a table where it is small, hashed otherwise.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "equipoise/base/random.hpp"

namespace equipoise::reassign {

/// Counts by pair. The counts of all pairs add up to at most `most`, which bounds what a hashed
/// table holds: O(min(rows columns, most)) memory; every operation takes expected time O(1).
class PairCounts {
  public:
    PairCounts(std::size_t rows, std::size_t columns, std::size_t most)
        : columns_(columns), dense_(is_dense(rows, columns, most)) {
        if (dense_) {
            counts_.assign(rows * columns, 0);
        } else {
            slots_.assign(slot_count(most), Slot{});
        }
    }

    /// The bytes that such counts take.
    [[nodiscard]] static std::size_t bytes(std::size_t rows, std::size_t columns,
                                           std::size_t most) {
        return is_dense(rows, columns, most) ? rows * columns * sizeof(std::uint32_t)
                                             : slot_count(most) * sizeof(Slot);
    }

    [[nodiscard]] std::uint32_t at(std::size_t row, std::size_t column) const {
        const std::uint64_t key = row * columns_ + column;
        return dense_ ? counts_[key] : slots_[slot_of(key)].count;
    }
    /// Adds one; returns the count before.
    std::uint32_t add(std::size_t row, std::size_t column) {
        const std::uint64_t key = row * columns_ + column;
        if (dense_) return counts_[key]++;
        std::size_t slot = slot_of(key);
        if (slots_[slot].key != key) {
            if ((used_ + 1) * 4 > slots_.size() * 3) {
                drop_zeros();
                slot = slot_of(key);
            }
            slots_[slot].key = key;
            ++used_;
        }
        return slots_[slot].count++;
    }
    /// Takes one away; returns the count before, which is at least 1.
    std::uint32_t subtract(std::size_t row, std::size_t column) {
        const std::uint64_t key = row * columns_ + column;
        return dense_ ? counts_[key]-- : slots_[slot_of(key)].count--;
    }

  private:
    static constexpr std::uint64_t no_key = ~std::uint64_t{0};
    struct Slot {
        std::uint64_t key = no_key;
        std::uint32_t count = 0;
    };

    [[nodiscard]] static bool is_dense(std::size_t rows, std::size_t columns, std::size_t most) {
        return columns == 0 || rows <= (4 * most + 4096) / columns;
    }
    [[nodiscard]] static std::size_t slot_count(std::size_t most) {
        return std::bit_ceil(2 * most + 2);
    }
    [[nodiscard]] std::size_t slot_of(std::uint64_t key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot = static_cast<std::size_t>(mix_bits(key)) & mask;
        while (slots_[slot].key != key && slots_[slot].key != no_key)
            slot = (slot + 1) & mask;
        return slot;
    }
    /// Counts that are 0 keep their slots until these run out; no more than half are in need.
    void drop_zeros() {
        std::vector<Slot> before(slots_.size());
        before.swap(slots_);
        used_ = 0;
        for (const Slot& slot : before) {
            if (slot.count == 0) continue;
            slots_[slot_of(slot.key)] = slot;
            ++used_;
        }
    }

    std::size_t columns_;
    bool dense_;
    std::vector<std::uint32_t> counts_;
    std::vector<Slot> slots_;
    std::size_t used_ = 0;
};

}  // namespace equipoise::reassign
