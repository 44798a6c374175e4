#pragma once
// Splits the items of a step among threads. Totals are integers, so the order in which threads
// finish cannot change them.

#include <cstdint>
#include <mutex>

namespace equipoise::engine {

/// How many threads may work, and how many more items are worth another thread.
struct Workers {
    int threads = 1;
    std::uint64_t items_per_thread_min = 1;

    /// `threads` = 0: as many as the machine has.
    [[nodiscard]] static Workers of(int threads, std::uint64_t items_per_thread_min);
    [[nodiscard]] int for_items(std::uint64_t items) const;
};

/// A borrowed `void(std::uint64_t begin, std::uint64_t end)`.
class BlockRef {
  public:
    template <class Block>
    explicit BlockRef(const Block& block)
        : block_(&block), call_([](const void* object, std::uint64_t begin, std::uint64_t end) {
              (*static_cast<const Block*>(object))(begin, end);
          }) {}
    void operator()(std::uint64_t begin, std::uint64_t end) const { call_(block_, begin, end); }

  private:
    const void* block_;
    void (*call_)(const void*, std::uint64_t, std::uint64_t);
};

/// Runs `block(begin, end)` over consecutive blocks of 0 .. count-1, one for each thread. `items`
/// is the amount of work. Rethrows the first exception of a block.
void run_blocks(const Workers& workers, std::uint64_t count, std::uint64_t items, BlockRef block);

/// The sum of `block(begin, end)` over such blocks.
template <class Totals, class Block>
[[nodiscard]] Totals sum_over_blocks(const Workers& workers, std::uint64_t count,
                                     std::uint64_t items, const Block& block) {
    Totals totals;
    std::mutex adding;
    const auto add = [&](std::uint64_t begin, std::uint64_t end) {
        const Totals own = block(begin, end);
        const std::lock_guard lock(adding);
        totals += own;
    };
    run_blocks(workers, count, items, BlockRef(add));
    return totals;
}

/// Runs `block(begin, end)` over consecutive blocks of 0 .. count-1, one for each thread.
template <class Block>
void for_each_block(const Workers& workers, std::uint64_t count, const Block& block) {
    run_blocks(workers, count, count, BlockRef(block));
}

}  // namespace equipoise::engine
