#pragma once
// Sharing out the items of a step to threads. Totals are integers, so that the order in which
// threads finish cannot show.

#include <cstdint>
#include <exception>

namespace equipoise::engine {

/// How many threads may work, and how many items make a further one worthwhile.
struct Workers {
    int threads = 1;
    std::uint64_t items_per_thread_min = 1;

    /// `threads` = 0: as many as the machine has.
    [[nodiscard]] static Workers of(int threads, std::uint64_t items_per_thread_min);
    [[nodiscard]] int for_items(std::uint64_t items) const;
};

/// The sum of `block(begin, end)` over consecutive blocks of 0 .. count-1, one a thread. `items` is
/// the work in it. The first exception of a block is thrown again here.
template <class Totals, class Block>
[[nodiscard]] Totals sum_over_blocks([[maybe_unused]] const Workers& workers, std::uint64_t count,
                                     [[maybe_unused]] std::uint64_t items, const Block& block) {
#if defined(_OPENMP)
    const int threads = workers.for_items(items);
    if (threads > 1) {
        Totals totals;
        std::exception_ptr failure;
        const auto parts = static_cast<std::uint64_t>(threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
        for (int thread = 0; thread < threads; ++thread) {
            const auto part = static_cast<std::uint64_t>(thread);
            try {
                const Totals own = block(count * part / parts, count * (part + 1) / parts);
#pragma omp critical(equipoise_totals)
                totals += own;
            } catch (...) {
#pragma omp critical(equipoise_totals)
                if (!failure) failure = std::current_exception();
            }
        }
        if (failure) std::rethrow_exception(failure);
        return totals;
    }
#endif
    return block(0, count);
}

/// Runs `block(begin, end)` over consecutive blocks of 0 .. count-1, one a thread.
template <class Block>
void for_each_block(const Workers& workers, std::uint64_t count, const Block& block) {
    struct None {
        void operator+=(const None& /*other*/) {}
    };
    static_cast<void>(
        sum_over_blocks<None>(workers, count, count, [&](std::uint64_t begin, std::uint64_t end) {
            block(begin, end);
            return None{};
        }));
}

}  // namespace equipoise::engine
