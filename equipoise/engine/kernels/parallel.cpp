#include "equipoise/engine/kernels/parallel.hpp"

#include <algorithm>
#include <exception>
#include <thread>

namespace equipoise::engine {

Workers Workers::of(int threads, std::uint64_t items_per_thread_min) {
    if (threads <= 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return {threads, std::max<std::uint64_t>(1, items_per_thread_min)};
}

int Workers::for_items(std::uint64_t items) const {
    const std::uint64_t useful = std::max<std::uint64_t>(1, items / items_per_thread_min);
    return static_cast<int>(std::min<std::uint64_t>(useful, static_cast<std::uint64_t>(threads)));
}

void run_blocks([[maybe_unused]] const Workers& workers, std::uint64_t count,
                [[maybe_unused]] std::uint64_t items, BlockRef block) {
#if defined(_OPENMP)
    const int threads = workers.for_items(items);
    if (threads > 1) {
        std::exception_ptr failure;
        const auto parts = static_cast<std::uint64_t>(threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
        for (int thread = 0; thread < threads; ++thread) {
            const auto part = static_cast<std::uint64_t>(thread);
            try {
                block(count * part / parts, count * (part + 1) / parts);
            } catch (...) {
#pragma omp critical(equipoise_failure)
                if (!failure) failure = std::current_exception();
            }
        }
        if (failure) std::rethrow_exception(failure);
        return;
    }
#endif
    block(0, count);
}

}  // namespace equipoise::engine
